import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DomainError } from '~/domain/api/errors'
import { translateError } from '~/src/i18n/errorTexts'
import { Button } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import { Icon } from '~/src/ui/Icon'
import css from './BulkDialog.module.css'
import { useOverlayParam } from '~/src/ui/table/tableState'
import { useSingleRun } from '~/src/ui/useSingleRun'

/** Returns the selected rows, and the bulk action and rows that the URL names. */
export const useBulkSelection = <Row extends { id: string }, Kind extends string>(
  rows: Row[],
  kinds: readonly Kind[],
) => {
  const [selected, onSelected] = useState<Set<string>>(new Set())
  const { opened, open, close } = useOverlayParam('bulk')
  const [action = '', ids = ''] = opened?.split('~') ?? []
  const kind = kinds.find((one) => one === action)
  const requestedIds = new Set(ids.split(','))
  const matchingRows = rows.filter(({ id }) => requestedIds.has(id))
  // An action may remove rows from the list, so the dialog keeps them as they were when it opened.
  const [snapshot, setSnapshot] = useState<{ opened: string; rows: Row[] } | null>(null)
  if (opened && snapshot?.opened !== opened && matchingRows.length > 0)
    setSnapshot({ opened, rows: matchingRows })
  return {
    selected,
    onSelected,
    ask: (what: Kind) =>
      open(`${what}~${rows.flatMap(({ id }) => (selected.has(id) ? [id] : [])).join(',')}`),
    bulk: kind && snapshot && snapshot.opened === opened ? { kind, rows: snapshot.rows } : null,
    end: () => {
      onSelected(new Set())
      close()
    },
  }
}

type Result = DomainError | 'done'

/** Acts on the rows one after the other, and holds the result of each. */
const useBulkRun = <Row extends { id: string }>(
  rows: Row[],
  act: (row: Row) => Promise<unknown>,
) => {
  const { run } = useSingleRun({ isLast: true })
  const [state, setState] = useState<'asking' | 'running' | 'done'>('asking')
  const [results, setResults] = useState<Record<string, Result>>({})
  const actOnRows = async () => {
    setState('running')
    for (const row of rows) {
      let result: Result = 'done'
      try {
        await act(row)
      } catch (error) {
        result = error as DomainError
      }
      setResults((before) => ({ ...before, [row.id]: result }))
    }
    setState('done')
  }
  return { state, results, start: () => void run(actOnRows) }
}

/** Shows the result of a row, or that it is running. */
const Outcome = ({
  result,
  isRunning,
  doneText,
}: {
  result: Result | undefined
  isRunning: boolean
  doneText: string
}) => {
  const { t } = useTranslation()
  if (!result) return isRunning && <span className={css.muted}>{t('loading')}</span>
  const isDone = result === 'done'
  return (
    <span data-refused={!isDone || undefined}>
      <Icon name={isDone ? 'check' : 'warning'} size={18} />
      {isDone ? doneText : translateError(result, t)}
    </span>
  )
}

/** Runs one action on many rows, one after the other, and shows the result of each. */
export const BulkDialog = <Row extends { id: string }>({
  title,
  rows,
  describe,
  act,
  doneText,
  danger = false,
  isReady = () => true,
  children,
  onClose,
}: {
  /** Also the label of the button. */
  title: string
  rows: Row[]
  describe: (row: Row) => { name: ReactNode; note?: ReactNode }
  /** Rejects with a DomainError. */
  act: (row: Row) => Promise<unknown>
  /** The text for a row that succeeded. */
  doneText: string
  danger?: boolean
  /**
   * Called before the first action; returns false when an input is missing and its error is shown.
   */
  isReady?: () => boolean
  /**
   * Information or choices shown before the actions start; the argument is true until they start.
   */
  children?: (isAsking: boolean) => ReactNode
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const { state, results, start } = useBulkRun(rows, act)
  const isRunning = state === 'running'
  return (
    <Dialog
      title={title}
      {...(!isRunning && { onClose })}
      actions={
        state === 'done' ? (
          <Button variant="primary" onClick={onClose}>
            {t('done')}
          </Button>
        ) : (
          <Button
            variant={danger ? 'danger' : 'primary'}
            busy={isRunning}
            onClick={() => isReady() && start()}
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
              <Outcome result={results[row.id]} isRunning={isRunning} doneText={doneText} />
            </li>
          )
        })}
      </ul>
    </Dialog>
  )
}
