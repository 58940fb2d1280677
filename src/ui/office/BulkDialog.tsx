import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Refusal } from '~/domain/errors'
import { Button } from '../controls'
import { Dialog } from '../Dialog'
import { Icon } from '../Icon'
import css from './BulkDialog.module.css'
import { useOpened } from './tableState'

/** The rows that are selected, and what the address asks to be done to which of them. */
export const useBulk = <Row extends { id: string }, Kind extends string>(
  rows: Row[],
  kinds: readonly Kind[],
) => {
  const [selected, onSelected] = useState<Set<string>>(new Set())
  const { opened, open, close } = useOpened('bulk')
  const [asked = '', ids = ''] = opened?.split('~') ?? []
  const kind = kinds.find((one) => one === asked)
  const wanted = new Set(ids.split(','))
  const found = rows.filter(({ id }) => wanted.has(id))
  // What is done to rows may take them out of the list: they are kept as they were found.
  const [kept, setKept] = useState<{ opened: string; rows: Row[] } | null>(null)
  if (opened && kept?.opened !== opened && found.length > 0) setKept({ opened, rows: found })
  return {
    selected,
    onSelected,
    ask: (what: Kind) =>
      open(`${what}~${rows.flatMap(({ id }) => (selected.has(id) ? [id] : [])).join(',')}`),
    bulk: kind && kept && kept.opened === opened ? { kind, rows: kept.rows } : null,
    end: () => {
      onSelected(new Set())
      close()
    },
  }
}

/** Does one thing to many rows, one after the other, and says of each what became of it. */
export const BulkDialog = <Row extends { id: string }>({
  title,
  rows,
  describe,
  act,
  done,
  danger = false,
  isReady = () => true,
  children,
  onClose,
}: {
  /** Also the words on the button. */
  title: string
  rows: Row[]
  describe: (row: Row) => { name: ReactNode; note?: ReactNode }
  /** Rejects with a Refusal. */
  act: (row: Row) => Promise<unknown>
  /** Of a row with which it went well. */
  done: string
  danger?: boolean
  /** Asked before the first; false: something is missing and has been told. */
  isReady?: () => boolean
  /** What is to be known or chosen before; it is told whether that is over. */
  children?: (isAsking: boolean) => ReactNode
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const [state, setState] = useState<'asking' | 'running' | 'done'>('asking')
  const [results, setResults] = useState<Record<string, Refusal | 'done'>>({})
  const run = async () => {
    if (!isReady()) return
    setState('running')
    for (const row of rows) {
      let result: Refusal | 'done' = 'done'
      try {
        await act(row)
      } catch (error) {
        result = error as Refusal
      }
      setResults((before) => ({ ...before, [row.id]: result }))
    }
    setState('done')
  }
  const outcome = (id: string) => {
    const result = results[id]
    if (!result) return state === 'running' && <span className={css.muted}>{t('loading')}</span>
    const isDone = result === 'done'
    return (
      <span data-refused={!isDone || undefined}>
        <Icon name={isDone ? 'check' : 'warning'} size={18} />
        {isDone ? done : t(result.key, result.params ?? {})}
      </span>
    )
  }
  return (
    <Dialog
      title={title}
      {...(state !== 'running' && { onClose })}
      actions={
        state === 'done' ? (
          <Button look="primary" onClick={onClose}>
            {t('done')}
          </Button>
        ) : (
          <Button
            look={danger ? 'danger' : 'primary'}
            busy={state === 'running'}
            onClick={() => void run()}
          >
            {title}
          </Button>
        )
      }
    >
      {children?.(state === 'asking')}
      <ul role="list" className={css.results} aria-live="polite">
        {rows.map((row) => {
          const { name, note } = describe(row)
          return (
            <li key={row.id}>
              <div>
                <bdi>{name}</bdi>
                {note && <small>{note}</small>}
              </div>
              {outcome(row.id)}
            </li>
          )
        })}
      </ul>
    </Dialog>
  )
}
