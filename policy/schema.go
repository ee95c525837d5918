package policy

import "encoding/json"

// MovesSchema is the form of the answer that ParseMoves reads, for a server that holds
// a model to one.
func MovesSchema() json.RawMessage {
	return json.RawMessage(`{"type":"object","additionalProperties":false,"required":["moves"],"properties":{"moves":{"type":"array","items":
{"type":"object","additionalProperties":false,"required":["i","topic","aliases"],"properties":
{"i":{"type":"integer"},"topic":{"type":"string"},"aliases":{"type":["array","null"],"items":{"type":"string"}}}}}}}`)
}

// PairsSchema is the form of the answer that ParsePairs reads.
func PairsSchema() json.RawMessage {
	return json.RawMessage(`{"type":"object","additionalProperties":false,"required":["pairs"],"properties":{"pairs":{"type":"array","items":
{"type":"object","additionalProperties":false,"required":["a","b","keep","remainder"],"properties":
{"a":{"type":"integer"},"b":{"type":"integer"},"keep":{"type":"string","enum":["a","b"]},"remainder":{"type":["string","null"]}}}}}}`)
}
