package side

import (
	"context"
	"fmt"
)

// Check reads the whole file. ErrBroken: it was not sound, and is empty now.
func (x *Index) Check(ctx context.Context) error {
	return x.view(ctx, func(ctx context.Context, t *tables) error {
		var said string
		err := t.conn.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&said)
		if err == nil && said != "ok" {
			err = fmt.Errorf("%w: %s", ErrBroken, said)
		}
		if err != nil {
			return err
		}
		return t.blocks(ctx, "", nil, func(int64, []byte) {})
	})
}
