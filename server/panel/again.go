package panel

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"quipu/policy"
)

// again gives back what a form sent that was not acted on, so that nothing typed is lost,
// as a form that sends it once more to the same place.
type again struct {
	To     string
	CSRF   string // "" while nobody is signed in
	Doing  string // what it does
	Hidden []sent
	Typed  []sent
}

// sent is one field of a form.
type sent struct {
	Name, Label, Value string
	Long, Secret       bool
}

// unseen are fields that a page sets and nobody types, secrets those that no page shows.
var (
	unseen  = strings.Fields("path line hash mark do id keep was target change")
	secrets = []string{"token", "password"}
)

const (
	mostSent = 60 // fields
	longText = 80 // bytes: more is given back in a box of several lines
)

// again is nil for what is no form, and for one that a page of another place may have made.
func (v *visit) again() *again {
	if v.r.Method != http.MethodPost || !sameOrigin(v.r) || len(v.r.PostForm) == 0 {
		return nil
	}
	a := &again{To: v.r.URL.Path, CSRF: v.csrf, Doing: v.doing()}
	names := make([]string, 0, len(v.r.PostForm))
	for name := range v.r.PostForm {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, value := range v.r.PostForm[name] {
			if name != "csrf" {
				a.add(v, name, strings.ReplaceAll(value, "\r\n", "\n"))
			}
		}
	}
	if len(a.Hidden)+len(a.Typed) > mostSent {
		return nil
	}
	return a
}

func (a *again) add(v *visit, name, value string) {
	f := sent{Name: name, Label: name, Value: value, Long: len(value) > longText || strings.Contains(value, "\n") || name == "text"}
	switch name {
	case "text":
		f.Label = v.say("Text")
	case "draft":
		f.Label = v.say("Your draft")
	}
	switch {
	case slices.Contains(secrets, name):
		f.Value, f.Secret = "", true
		a.Typed = append(a.Typed, f)
	case slices.Contains(unseen, name), value == "":
		a.Hidden = append(a.Hidden, f)
	default:
		a.Typed = append(a.Typed, f)
	}
}

// sameOrigin says whether the browser itself says that one of our pages sent this.
func sameOrigin(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" {
		return site == "same-origin"
	}
	from, err := url.Parse(r.Header.Get("Origin"))
	return err == nil && from.Host != "" && from.Host == r.Host
}

// doing says what a form does, in a sentence, before it is sent again.
func (v *visit) doing() string {
	_, path, _ := strings.Cut(v.r.Pattern, " ")
	bot, form := v.r.PathValue("id"), v.r.PostForm
	file := form.Get("path")
	if file == "" {
		file = policy.MemoryFile
	}
	switch path {
	case "/about":
		return v.say("It saves About me.")
	case "/bots/{id}/edit":
		return v.say("It saves %[1]s of %[2]s.", visible(file), bot)
	case "/bots/{id}/delete":
		return v.say("It deletes %[1]s of %[2]s.", visible(file), bot)
	case "/bots/{id}/entry":
		return v.say("It changes one note in %[1]s of %[2]s.", visible(file), bot)
	case "/bots/{id}/standing":
		return v.say("It says of one note in %[1]s of %[2]s whether it is so.", visible(file), bot)
	case "/bots/{id}/directives":
		if form.Get("do") == "try" {
			return v.say("It asks whether a draft would pass.")
		}
		return v.say("It changes what %s does not bring up.", bot)
	case "/bots/{id}/forget":
		if form.Get("do") == "look" {
			return v.say("It shows what would be forgotten.")
		}
		return v.say("It forgets this for good, in the history too.")
	case "/bots/{id}/undo/{row}", "/about/undo/{row}":
		return v.say("It takes a change back.")
	case "/sign-out":
		return v.say("It signs this browser out.")
	}
	return v.say("It is sent to %s.", v.r.URL.Path)
}

// outOfDate answers a form that another session made, or none. One press sends it again.
func (p *Panel) outOfDate(v *visit) {
	if v.again() == nil {
		p.fail(v, errForm)
		return
	}
	p.fail(v, errFormAgain)
}
