package index

import "strings"

// irregular lists English words whose forms no stemmer brings together, as
// lemma:forms. It holds the verbs and plurals of everyday English.
const irregular = `go:went gone goes|buy:bought|take:took taken|make:made|see:saw seen|give:gave given|get:got gotten|find:found|
feel:felt|think:thought|teach:taught|bring:brought|catch:caught|fight:fought|seek:sought|tell:told|sell:sold|hold:held|keep:kept|
sleep:slept|leave:left|meet:met|lead:led|feed:fed|speak:spoke spoken|break:broke broken|choose:chose chosen|drive:drove driven|
ride:rode ridden|write:wrote written|rise:rose risen|eat:ate eaten|fall:fell fallen|grow:grew grown|know:knew known|throw:threw thrown|
fly:flew flown flies|draw:drew drawn|show:shown|begin:began begun|drink:drank drunk|sing:sang sung|swim:swam swum|run:ran|come:came|
become:became|win:won|lose:lost|spend:spent|send:sent|lend:lent|build:built|hear:heard|pay:paid|say:said|sit:sat|stand:stood|
understand:understood|wear:wore worn|tear:tore torn|swear:swore sworn|forget:forgot forgotten|hide:hid hidden|bite:bit bitten|
shake:shook shaken|steal:stole stolen|wake:woke woken|freeze:froze frozen|ring:rang rung|sink:sank sunk|stick:stuck|strike:struck|
dig:dug|hang:hung|light:lit|shoot:shot|slide:slid|bend:bent|deal:dealt|dream:dreamt|learn:learnt|mean:meant|lie:lay lain|
blow:blew blown|shine:shone|sew:sewn|sow:sown|spin:spun|swing:swung|weave:wove woven|bleed:bled|breed:bred|creep:crept|sweep:swept|
weep:wept|kneel:knelt|leap:leapt|spell:spelt|spill:spilt|burn:burnt|bear:bore borne|forgive:forgave forgiven|mistake:mistook mistaken|
undergo:underwent|withdraw:withdrew withdrawn|overcome:overcame|child:children|person:people|man:men|woman:women|foot:feet|
tooth:teeth|mouse:mice|goose:geese|life:lives|wife:wives|knife:knives|leaf:leaves|shelf:shelves|half:halves|wolf:wolves|loaf:loaves|
thief:thieves|good:better best|bad:worse worst|far:further farther`

// kindred lists English words that stand for each other when people ask for
// what they wrote: a group a line, from everyday life.
const kindred = `family child son daughter parent mom dad mother father
child son daughter baby kid toddler
mom mother mum
dad father
grandma grandmother granny
grandpa grandfather
husband wife spouse partner marry
boyfriend girlfriend partner date
sibling brother sister
friend buddy pal
buy purchase get shop
job work career employment occupation profession
boss manager
colleague coworker
move relocate relocation
live reside home house apartment
house home place apartment flat
car vehicle drive
bike bicycle cycling
trip travel vacation holiday journey visit getaway
visit go trip travel
hike trail trek
camp camping tent
run race marathon jog
gym workout exercise fitness
sport game team
game gaming play
movie film watch cinema
book novel read author
music song band concert
concert show gig festival performance
instrument guitar piano violin cello drums
paint art artwork canvas
draw sketch
photo picture photograph image
photography camera photo
pet dog cat puppy kitten
dog puppy
cat kitten
food meal dish cook cuisine
cook recipe bake
dinner lunch breakfast meal
dessert cake cookie pie sweet
drink coffee tea beer wine
restaurant cafe diner
health illness sick ill medical doctor
doctor physician hospital
injury hurt accident
sad upset depress
happy glad joy excite
stress anxiety anxious pressure
relax unwind calm rest
hobby interest activity pastime
class course lesson workshop
school college university study education
degree graduate graduation
student pupil
teach teacher
learn study
start begin launch open
finish complete end
store shop boutique
business company startup
money finance fund
charity fundraiser donate volunteer
volunteer help community
help support assist
advice suggest recommendation recommend tip
gift present
party celebrate celebration
birthday anniversary
wedding marry marriage
die death lose loss
country nation abroad
city town
beach sea ocean coast
mountain hill peak
park garden
plant flower garden
nature outdoors outdoor
like love enjoy favorite favourite
colour color
hate dislike
want wish hope dream
plan intend goal
goal dream aspiration ambition
award prize trophy medal win
win victory
competition contest tournament
play perform
dance dancer
write writer
story tale
movie screenplay script
computer laptop pc
phone call mobile
church faith religion religious
god spiritual
politics political election
army military veteran
nervous scare afraid fear
big large huge
small little tiny
old ancient
new recent latest
make create craft
fix repair restore mend
collect collection
speech talk presentation
meeting meet conference
meet encounter
adopt adoption
allergy allergic
decide decision choose
problem issue challenge
realize realise
inspire inspiration motivate motivation
luggage suitcase baggage
insurance cover policy
salary pay wage
price cost fee
flight plane fly
key lock
fast quick
error bug fault
delete remove`

func lemmaTable() map[string]string {
	lemmas := map[string]string{}
	plain := &lexicon{}
	for group := range strings.SplitSeq(strings.ReplaceAll(irregular, "\n", ""), "|") {
		lemma, forms, _ := strings.Cut(group, ":")
		to := plain.stem(lemma, inEnglish)
		for form := range strings.FieldsSeq(forms) {
			lemmas[form] = to
		}
	}
	return lemmas
}

func kinTable(lex *lexicon) map[string][]string {
	kin := map[string][]string{}
	for group := range strings.SplitSeq(kindred, "\n") {
		words := strings.Fields(group)
		for i := range words {
			words[i] = lex.stem(words[i], inEnglish)
		}
		for _, a := range words {
			for _, b := range words {
				if a != b {
					kin[a] = append(kin[a], b)
				}
			}
		}
	}
	return kin
}
