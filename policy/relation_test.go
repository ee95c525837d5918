package policy

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestRelation(t *testing.T) {
	tests := []struct {
		name, old, fresh string
		want             Related
	}{
		{"dr01", "Alice is smart", "Alice is not smart!", Correction},
		{"dr04", "Alice likes dogs", "Alice is not smart", Unrelated},
		{"dr05", "去无锡", "去锡", Unrelated},
		{"dr06", "Likes the never button", "Likes the button", Unrelated},

		{"the same", "Alice is smart", "alice  IS smart.", Confirmation},
		{"the same denial", "Alice is not smart", "Alice is not smart!", Confirmation},
		{"composed otherwise", "Jos\u00e9 lives in Lima", "Jose\u0301 lives in Lima", Confirmation},
		{"an apostrophe of another kind", "Alice doesn't smoke", "Alice doesn’t smoke", Confirmation},
		{"the same in Chinese", "爱丽丝喜欢狗", "爱丽丝喜欢狗。", Confirmation},
		{"accents count", "Trinkt Tee im Maß", "Trinkt Tee im Mäß", Unrelated},
		{"a power is no number", "The plot has 10² m", "The plot has 102 m", Unrelated},
		{"marks inside count", "Works in C", "Works in C++", Unrelated},
		{"nothing", "", "", Unrelated},
		{"marks alone", "...", "!", Unrelated},
		{"a question confirms nothing", "Alice is smart?", "Alice is smart?", Unrelated},
		{"nor denies", "Alice is smart", "Alice is not smart?", Unrelated},
		{"part of it", "Alice is smart", "Alice is smart and kind", Unrelated},

		{"isn't", "Alice is vegan", "Alice isn't vegan", Correction},
		{"isnt", "Alice is vegan", "Alice isnt vegan", Correction},
		{"'s not", "Alice's vegan", "Alice's not vegan", Correction},
		{"is and 's not", "Alice is vegan", "Alice's not vegan", Correction},
		{"I'm not", "I am vegan", "I'm not vegan", Correction},
		{"does not, no subject", "Eats meat", "Does not eat meat", Correction},
		{"doesn't", "Alice likes dogs", "Alice doesn't like dogs", Correction},
		{"does not have", "Alice has a dog", "Alice does not have a dog", Correction},
		{"does not study", "Alice studies law", "Alice does not study law", Correction},
		{"does not play", "Alice plays chess", "Alice doesn’t play chess", Correction},
		{"does not watch", "Alice watches films", "Alice does not watch films", Correction},
		{"did not move", "Alice moved to Goa", "Alice did not move to Goa", Correction},
		{"did not stop", "Alice stopped smoking", "Alice didn't stop smoking", Correction},
		{"don't", "Call before nine", "Don't call before nine", Correction},
		{"can't", "Can swim", "Can't swim", Correction},
		{"cannot", "Alice can swim", "Alice cannot swim", Correction},
		{"won't", "Alice will come", "Alice won't come", Correction},
		{"will never", "Alice will move", "Alice will never move", Correction},
		{"has no", "Alice has dogs", "Alice has no dogs", Correction},
		{"is no", "Alice is a doctor", "Alice is no doctor", Correction},
		{"one of two conjuncts", "Alice is not tall and is not shy", "Alice is not tall and is shy", Correction},
		{"that, as a pointer", "That is true", "That is not true", Correction},

		{"never without an auxiliary", "Alice smokes", "Alice never smokes", Unrelated},
		{"a possessive", "Likes Bob's brand", "Likes Bob's no brand", Unrelated},
		{"a noun of several words", "Has a disturb sign", "Has a do not disturb sign", Unrelated},
		{"no longer", "Alice is vegan", "Alice is no longer vegan", Unrelated},
		{"not only", "Alice is only tired", "Alice is not only tired", Unrelated},
		{"a clause of its own", "Likes dogs that are loud", "Likes dogs that are not loud", Unrelated},
		{"a condition", "Asks if it is late", "Asks if it is not late", Unrelated},
		{"a title", `Likes the song "Love Is Blind"`, `Likes the song "Love Is Not Blind"`, Unrelated},
		{"another verb", "Alice likes dogs", "Alice does not own dogs", Unrelated},
		{"another time", "Alice liked dogs", "Alice does not like dogs", Unrelated},
		{"two negations more", "Alice is tall and is shy", "Alice is not tall and is not shy", Unrelated},
		{"a negation moved", "Alice is not tall and is shy", "Alice is tall and is not shy", Unrelated},
		{"not in the first word", "Not tall", "Tall", Unrelated},

		{"es", "Vive en Lima", "No vive en Lima", Correction},
		{"es with a little word", "A Ana le gusta el té", "A Ana no le gusta el té", Correction},
		{"es ya no", "Ya vive en Lima", "Ya no vive en Lima", Unrelated},
		{"es a noun", "Pulsa el botón", "Pulsa el no botón", Unrelated},
		{"es a clause", "Sabe que vive en Lima", "Sabe que no vive en Lima", Unrelated},
		{"de", "Anna ist klug", "Anna ist nicht klug", Correction},
		{"de at the end", "Anna mag Hunde", "Anna mag Hunde nicht.", Correction},
		{"de ß", "Anna weiß es", "Anna weiß es nicht", Correction},
		{"de keinen", "Anna hat einen Hund", "Anna hat keinen Hund", Correction},
		{"de keine", "Anna hat Kinder", "Anna hat keine Kinder", Correction},
		{"de nie", "Anna raucht", "Anna raucht nie", Correction},
		{"de nicht mehr", "Anna raucht mehr", "Anna raucht nicht mehr", Unrelated},
		{"de nicht nur", "Anna mag nur Tee", "Anna mag nicht nur Tee", Unrelated},
		{"de a clause", "Anna mag Hunde, die bellen", "Anna mag Hunde, die nicht bellen", Unrelated},
		{"de behind a comma", "Anna kennt Leute, die Tee mögen", "Anna kennt Leute, die Tee nicht mögen", Unrelated},
		{"de a noun", "Anna mag den Knopf", "Anna mag den Nie Knopf", Unrelated},
		{"fr", "Anne habite à Lyon", "Anne n'habite pas à Lyon", Correction},
		{"fr ne", "Anne boit du vin", "Anne ne boit pas de vin", Correction},
		{"fr je", "J'aime le thé", "Je n'aime pas le thé", Correction},
		{"fr ce", "C'est vrai", "Ce n’est pas vrai", Correction},
		{"fr jamais", "Anne fume", "Anne ne fume jamais", Correction},
		{"fr un", "Anne a un chien", "Anne n'a pas de chien", Correction},
		{"fr ne plus", "Anne fume", "Anne ne fume plus", Unrelated},
		{"fr a clause", "Aime les chiens qui aboient", "Aime les chiens qui n'aboient pas", Unrelated},
		{"pt", "Mora em Lisboa", "Não mora em Lisboa", Correction},
		{"pt nunca", "Ana fuma", "Ana nunca fuma", Correction},
		{"pt já não", "Já mora em Lisboa", "Já não mora em Lisboa", Unrelated},
		{"pt mais", "Ana fuma mais", "Ana não fuma mais", Unrelated},
		{"it", "Abita a Roma", "Non abita a Roma", Correction},
		{"it più", "Anna fuma più", "Anna non fuma più", Unrelated},
		{"nl", "Anna is lang", "Anna is niet lang", Correction},
		{"nl geen", "Anna heeft een hond", "Anna heeft geen hond", Correction},
		{"nl meer", "Anna rookt meer", "Anna rookt niet meer", Unrelated},
		{"ru", "Анна любит собак", "Анна не любит собак", Correction},
		{"ru without a verb", "Анна умная", "Анна не умная", Correction},
		{"ru never", "Анна курит", "Анна никогда не курит", Correction},
		{"ru no longer", "Анна больше курит", "Анна больше не курит", Unrelated},
		{"ru not only", "Анна только курит", "Анна не только курит", Unrelated},
		{"ru a clause", "Любит собак, которые лают", "Любит собак, которые не лают", Unrelated},

		{"zh 喜欢", "爱丽丝喜欢狗", "爱丽丝不喜欢狗", Correction},
		{"zh 是", "她是医生", "她不是医生。", Correction},
		{"zh 有", "他有猫", "他没有猫", Correction},
		{"zh 会", "他会游泳", "他不会游泳", Correction},
		{"zh traditional", "她喜歡茶", "她不喜歡茶", Correction},
		{"zh with blanks", "Alice 喜欢狗", "Alice 不喜欢 狗", Correction},
		{"zh asked", "他是是医生", "他是不是医生", Unrelated},
		{"zh asked without the mark", "你会游泳吗", "你不会游泳吗", Unrelated},
		{"zh another word", "要是他来就好", "要不是他来就好", Unrelated},
		{"zh what is liked", "喜欢吃肉的人", "喜欢不吃肉的人", Unrelated},
		{"zh a verb that is not listed", "他跑步", "他不跑步", Unrelated},
		{"ja です", "アンナは医者です", "アンナは医者ではありません", Correction},
		{"ja ます", "肉を食べます", "肉を食べません。", Correction},
		{"ja いる", "東京に住んでいる", "東京に住んでいない", Correction},
		{"ja inside", "ません係です", "ます係です", Unrelated},
		{"ko", "고기를 좋아한다", "고기를 좋아하지 않는다", Correction},
		{"ko 있다", "동생이 있다", "동생이 없다.", Correction},
	}
	for _, tc := range tests {
		if got := Relation(tc.old, tc.fresh); got != tc.want {
			t.Errorf("%s: Relation(%q, %q) = %q, want %q", tc.name, tc.old, tc.fresh, got, tc.want)
		}
		if got := Relation(tc.fresh, tc.old); got != tc.want {
			t.Errorf("%s, the other way round: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// TestRelationLaws: it is the same in both directions, a statement with a word in it
// confirms itself, and what is neither equal nor has a negation corrects nothing.
func TestRelationLaws(t *testing.T) {
	word := rapid.SampledFrom(strings.Fields("Alice is are does not no never isn't can't smart dogs like likes . ! ? that Ana vive no ist nicht kein ein mag ne n'aime pas не любит 不 是 喜欢 不喜欢 没有 有 です ではない 않는다 , \" x"))
	statement := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(word, 0, 8).Draw(t, "words"), rapid.SampledFrom([]string{" ", "", "  "}).Draw(t, "gap"))
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := statement.Draw(t, "a"), statement.Draw(t, "b")
		if rapid.Bool().Draw(t, "near") {
			b = strings.Replace(a, rapid.SampledFrom([]string{"not ", "no ", "不", "nicht ", "не "}).Draw(t, "negation"), "", 1)
		}
		got := Relation(a, b)
		if back := Relation(b, a); back != got {
			t.Fatalf("%q and back %q", got, back)
		}
		if (got == Confirmation) != (statedForm(a) == statedForm(b) && got != Unrelated) {
			t.Fatalf("%q", got)
		}
		if got == Correction && len(a) == len(b) {
			t.Fatal("no word more or less")
		}
	})
}

func FuzzRelation(f *testing.F) {
	f.Add("Alice is smart", "Alice isn't smart")
	f.Add("je n'", "je ne pas")
	f.Add("不不是是", "没有没有")
	f.Fuzz(func(t *testing.T, a, b string) {
		if Relation(a, b) != Relation(b, a) {
			t.Fatalf("%q and %q", a, b)
		}
		if got := Relation(a, a); got == Correction {
			t.Fatalf("%q corrects itself", a)
		}
	})
}

func BenchmarkRelation(b *testing.B) {
	long := strings.TrimSpace(strings.Repeat("Alice is not tall and she does not smoke ", 20))
	tests := []struct{ name, old, fresh string }{
		{"unrelated", "Alice does not like dogs", "Plans to restore the barge next summer"},
		{"near", "Alice likes dogs", "Alice does not like cats"},
		{"long", long, strings.Replace(long, "not smoke", "smoke", 1)},
	}
	for _, tc := range tests {
		b.Run(tc.name, func(b *testing.B) {
			for b.Loop() {
				Relation(tc.old, tc.fresh)
			}
		})
	}
}
