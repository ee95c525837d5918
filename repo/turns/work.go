package turns

import (
	"context"
	"database/sql"
)

// work is a transaction that prepares each of its statements once: most of what a
// short statement costs is reading it. A statement must not be run again while its own
// rows are being read.
type work struct {
	*sql.Tx
	made map[string]*sql.Stmt
}

// stmt gives a prepared statement; the transaction's end closes it.
func (w *work) stmt(ctx context.Context, query string) (*sql.Stmt, error) {
	if s, ok := w.made[query]; ok {
		return s, nil
	}
	s, err := w.PrepareContext(ctx, query)
	if err == nil {
		w.made[query] = s
	}
	return s, err
}

// ExecContext runs one statement.
func (w *work) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	s, err := w.stmt(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.ExecContext(ctx, args...)
}

// QueryContext gives the rows of one statement.
func (w *work) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	s, err := w.stmt(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.QueryContext(ctx, args...)
}

// QueryRowContext gives the first row of one statement.
func (w *work) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	s, err := w.stmt(ctx, query)
	if err != nil {
		return w.Tx.QueryRowContext(ctx, query, args...) // which gives the error
	}
	return s.QueryRowContext(ctx, args...)
}
