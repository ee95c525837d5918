package server

import (
	"net/http"

	"quipu/policy"
	"quipu/repo"
)

// ToolAnswer is what a command of the memory tool came to, as it is sent and printed.
type ToolAnswer struct {
	Result    string         `json:"result"` // for the model, as it is
	Change    *repo.ChangeID `json:"change"` // null when nothing was written
	Moved     []string       `json:"moved"`  // entries that made room in MEMORY.md
	Truncated bool           `json:"truncated"`
}

// tool runs one command of the memory tool for the bot: its answer is meant for the model
// as it is, an error of the tool's, too. turn says in which turn it acts.
func (s *Server) tool(w http.ResponseWriter, r *http.Request) error {
	ws, err := s.workspace(r)
	if err != nil {
		return err
	}
	data, err := body(w, r)
	if err != nil {
		return err
	}
	if _, err := object(data); err != nil {
		return err
	}
	command, turn, err := policy.TurnBeside(data)
	if err != nil {
		return err
	}
	c, err := policy.ParseTool(command)
	if err != nil {
		return err
	}
	by, err := s.turns.Behalf(r.Context(), ws.ID(), turn, repo.ViaAPI)
	if err != nil {
		return err
	}
	answer, receipt, err := ws.Tool(r.Context(), by.Meta, c)
	if err != nil {
		return err
	}
	a := ToolAnswer{Result: answer, Moved: append([]string{}, receipt.Moved...), Truncated: receipt.Truncated}
	if receipt.Change != "" {
		a.Change = &receipt.Change
	}
	send(w, http.StatusOK, a)
	return nil
}
