import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import { isDeepEqual } from '~/src/ui/isDeepEqual'
import { useSingleRun } from '~/src/ui/useSingleRun'
import css from './fields.module.css'

/** A change made elsewhere to a field of a form while the form was open. */
export interface ConcurrentEdit {
  from: unknown
  to: unknown
  /**
   * True when the form shows `to`, or the user has decided to overwrite it: saving then needs no
   * question.
   */
  isResolved: boolean
}
export type ConcurrentEdits = Readonly<Record<string, ConcurrentEdit>>

const isBlank = (value: unknown) => value === undefined || value === null || value === ''
/**
 * Returns true when two field values are equivalent: a record has no key where a form has an empty
 * text.
 */
export const isSameValue = (a: unknown, b: unknown): boolean =>
  (isBlank(a) && isBlank(b)) || isDeepEqual(a, b)

type Values = Readonly<Record<string, unknown>>

/**
 * Returns the concurrent edits between two states of a form's record, in addition to
 * `previousEdits`. `mine` has the form's values; `sentValues` has those that it is saving, whose
 * arrival is not a concurrent edit.
 */
export const updateConcurrentEdits = (
  previousEdits: ConcurrentEdits,
  {
    before,
    after,
    mine,
    sentValues,
  }: { before: Values; after: Values; mine: Values; sentValues: Values },
): ConcurrentEdits => {
  const edits: Record<string, ConcurrentEdit> = { ...previousEdits }
  for (const name of Object.keys({ ...before, ...after })) {
    const [from, to, value] = [before[name], after[name], mine[name]]
    if (isSameValue(from, to)) continue
    if (isSameValue(value, to) || (name in sentValues && isSameValue(sentValues[name], to)))
      delete edits[name]
    else
      edits[name] = {
        from: previousEdits[name]?.from ?? from,
        to,
        // A field that the user has not touched follows the record.
        isResolved: isSameValue(value, from),
      }
  }
  return edits
}

/** A field's label and the format of its values, for sentences about it. */
export interface FieldDescription {
  label: string
  formatValue: (value: unknown) => string
}

/** Shows next to a field who changed it meanwhile, with a button that takes their value. */
export const ConcurrentEditHint = ({
  edit,
  author,
  show,
  isMine,
  onTake,
}: {
  edit: ConcurrentEdit
  author: string | undefined
  show: FieldDescription['formatValue']
  /** True when the field holds a different, unsaved value. */
  isMine: boolean
  onTake: () => void
}) => {
  const { t } = useTranslation()
  const params = {
    who: author ?? t('someone_else'),
    from: show(edit.from),
    to: show(edit.to),
  }
  return (
    <span className={css.otherEdit} role="status">
      <span>{t('other_edit', params)}</span>
      {isMine && (
        <Button size="small" onClick={onTake}>
          {t('other_edit_take', { value: params.to })}
        </Button>
      )}
    </span>
  )
}

/** A conflict in the form that the dialog before saving shows. */
export interface EditConflict extends ConcurrentEdit {
  name: string
  mine: unknown
  described: FieldDescription
}

/** Asks which values to keep before this form overwrites changes made elsewhere. */
export const ConcurrentEditsDialog = ({
  conflicts,
  getAuthor,
  onKeep,
  onTake,
  onClose,
}: {
  conflicts: readonly EditConflict[]
  getAuthor: (name: string, to: unknown) => string | undefined
  /** Overwrites the other person's values; resolves when saved. */
  onKeep: () => Promise<unknown>
  /** Takes the other person's values and saves the other fields; resolves when saved. */
  onTake: () => Promise<unknown>
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const { busy: isSaving, run } = useSingleRun({ isLast: true })
  const [decision, setDecision] = useState<'keep' | 'take' | null>(null)
  const busy = isSaving ? decision : null
  const save = (which: 'keep' | 'take', work: () => Promise<unknown>) => () =>
    void run(() => {
      setDecision(which)
      return work().finally(onClose)
    })
  const sentence = ({
    name,
    from,
    to,
    mine,
    described: { label, formatValue },
  }: EditConflict): ReactNode => (
    <li key={name}>
      <p>
        {t('other_edit_of', {
          who: getAuthor(name, to) ?? t('someone_else'),
          label,
          from: formatValue(from),
          to: formatValue(to),
        })}
      </p>
      <p>{t('other_edit_mine', { value: formatValue(mine) })}</p>
    </li>
  )
  return (
    <Dialog
      title={t('other_edits_title')}
      onClose={onClose}
      actions={
        <>
          <Button busy={busy === 'take'} disabled={busy === 'keep'} onClick={save('take', onTake)}>
            {t('other_edits_take')}
          </Button>
          <Button
            variant="danger"
            busy={busy === 'keep'}
            disabled={busy === 'take'}
            onClick={save('keep', onKeep)}
          >
            {t('other_edits_keep')}
          </Button>
        </>
      }
    >
      <ul role="list" className={css.conflicts}>
        {conflicts.map(sentence)}
      </ul>
    </Dialog>
  )
}
