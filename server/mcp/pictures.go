package mcp

import (
	"context"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"quipu/hooks"
	"quipu/policy"
	"quipu/repo"
)

type pictureIn struct {
	Source string `json:"source,omitempty" jsonschema:"a data:, http: or https: URL; this or data"`
	Data   string `json:"data,omitempty" jsonschema:"the bytes of the picture in base64"`
	About  string `json:"about" jsonschema:"who or what it shows: the same name that notes use"`
	Note   string `json:"note,omitempty" jsonschema:"what is worth knowing of it, in one line"`
	Kind   string `json:"kind,omitempty" jsonschema:"person, self, product, post, place, scene or other"`
	Topic  string `json:"topic,omitempty" jsonschema:"the topic to keep its entry in; MEMORY.md without it"`
	Turn   string `json:"turn,omitempty" jsonschema:"the turn in which you act"`
	Layer  string `json:"layer,omitempty" jsonschema:"room or speaker of that turn; the bot's own notes without it"`
}

func (m *Memory) rememberPicture(ctx context.Context, in pictureIn) (string, hooks.Pictured, error) {
	var none hooks.Pictured
	if (in.Source == "") == (in.Data == "") {
		return "", none, repo.Meaning(repo.ErrInvalid, "send source or data, one of them")
	}
	data, err := hooks.DecodePicture(in.Data)
	if err != nil {
		return "", none, err
	}
	out, err := m.turns.RememberPicture(ctx, m.bot, hooks.Picturing{
		Source: in.Source, Data: data, Caption: policy.Caption{About: in.About, Note: in.Note, Kind: in.Kind},
		Topic: in.Topic, Turn: in.Turn, Layer: in.Layer, Via: repo.ViaMCP,
	})
	return framed(out.Message), out, err
}

type picturesIn struct {
	Query string `json:"query" jsonschema:"a name, or words of its entry"`
	Turn  string `json:"turn,omitempty" jsonschema:"the turn in which you act"`
}

// addPictureTools adds the two tools of pictures. What is recalled comes as pictures.
func (m *Memory) addPictureTools(s *mcp.Server) {
	add(m, s, describe("memory_image_remember", "Keep a picture", "Keeps a picture and one line on it. memory_update keeps words and no picture. The answer says whether it was kept, was kept already, or why it was not.", adding), m.rememberPicture)
	t := describe("memory_image_recall", "Look at a picture again", "Finds pictures that were kept, by a name or by words, and shows them. Say only what the answer lets you say: a picture that is not attached cannot be seen.", reading)
	mcp.AddTool(s, t, func(ctx context.Context, _ *mcp.CallToolRequest, in picturesIn) (*mcp.CallToolResult, hooks.Pictures, error) {
		if !m.store.Config().MemoryOn(m.bot) {
			return nil, hooks.Pictures{}, errors.New(m.Sentence(repo.Meaning(repo.ErrOff, "memory is switched off for this bot")))
		}
		found, err := m.turns.RecallPictures(ctx, m.bot, in.Query, in.Turn)
		if err != nil {
			return nil, hooks.Pictures{}, errors.New(m.Sentence(err))
		}
		content := []mcp.Content{&mcp.TextContent{Text: framed(found.Instruction)}}
		for _, p := range found.Pictures {
			if p.There {
				content = append(content, &mcp.ImageContent{Data: p.Bytes, MIMEType: p.Type})
			}
		}
		return &mcp.CallToolResult{Content: content}, found, nil
	})
}
