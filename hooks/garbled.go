package hooks

import (
	"fmt"

	"quipu/hooks/model"
	"quipu/repo"
)

// errGarbled says that a model answered something else than what it was asked for.
var errGarbled = fmt.Errorf("%w: it makes no sense", model.ErrFailed)

// garbledTries is how often a chat is read whose answer makes no sense.
const garbledTries = 3

// madeSense ends the count: the answers in a row are what is counted.
func (u *Upkeep) madeSense(bot repo.ID, conversation string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.senseless, [2]string{string(bot), conversation})
}

// garbled counts one more answer about a chat that makes no sense, and says whether the
// chat is to be read again.
func (u *Upkeep) garbled(bot repo.ID, conversation string) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	key := [2]string{string(bot), conversation}
	u.senseless[key]++
	if u.senseless[key] < garbledTries {
		return true
	}
	delete(u.senseless, key)
	return false
}
