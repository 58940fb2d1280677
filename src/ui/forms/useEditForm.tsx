import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { DefaultValues, FieldValues, Path, PathValue } from 'react-hook-form'
import {
  type EditConflict,
  type FieldDescription,
  isSameValue,
  type ConcurrentEdits,
  ConcurrentEditsDialog,
  updateConcurrentEdits,
} from './concurrentEdits'
import {
  type BindField,
  type InitialValues,
  type SchemaFormOptions,
  useSchemaForm,
} from './useSchemaForm'

/** Finds the author of a change made elsewhere, if known. */
export interface AuthorLookup {
  /** Returns the name of the person who set the field to this value. */
  getAuthor?: ((name: string, to: unknown) => string | undefined) | undefined
  /** Called when another person changes the record, so that the caller can look up names. */
  onConcurrentEdit?: (() => void) | undefined
}

export interface EditFormOptions<Values extends FieldValues>
  extends AuthorLookup, Pick<SchemaFormOptions<Values>, 'schema'> {
  /**
   * The current record. The form starts with it and compares later states with it to detect changes
   * by others.
   */
  initial: InitialValues<Values>
  /**
   * Receives all values, and those that differ from the current record. Rejects with a DomainError;
   * its `field` names the field that shows it.
   */
  onSave: (values: Values, changes: Partial<Values>) => Promise<unknown>
  /**
   * Asks before saving, when the values are valid. Resolves with false to go on editing; rejects as
   * `onSave` does.
   */
  confirm?: (values: Values) => Promise<boolean>
}

/** The record as the form knows it, the changes by others, and the values being saved. */
interface RecordState<Values> {
  record: InitialValues<Values>
  edits: ConcurrentEdits
  sentValues: Partial<Values>
}
const applyRecordChange = <Values extends FieldValues>(
  { record, edits, sentValues }: RecordState<Values>,
  next: InitialValues<Values>,
  mine: Values,
): RecordState<Values> => ({
  record: next,
  edits: updateConcurrentEdits(edits, { before: record, after: next, mine, sentValues }),
  // Our own change has arrived: a later change to the same value is another person's.
  sentValues: Object.fromEntries(
    Object.entries(sentValues).filter(([name]) => isSameValue(record[name], next[name])),
  ) as Partial<Values>,
})

const noAuthor = () => undefined
const unnamed: FieldDescription = { label: '', formatValue: String }

/**
 * Creates the form of a record that other people may change while it is open.
 *
 * Fields that the user has not touched follow changes that other people make to the record. For
 * touched fields, the form asks before it overwrites such changes.
 */
export const useEditForm = <Values extends FieldValues>({
  schema,
  initial,
  onSave,
  confirm,
  getAuthor = noAuthor,
  onConcurrentEdit,
}: EditFormOptions<Values>) => {
  const {
    form,
    element,
    field: bind,
    submit: save,
    attempt,
  } = useSchemaForm({ schema, initial, onSubmit: (values) => submit(values) })
  // Reading this subscribes to it, so that a reset keeps the typed values.
  const { dirtyFields } = form.formState
  const described = useRef(new Map<string, FieldDescription>())

  const [recordState, setRecordState] = useState<RecordState<Values>>({
    record: initial,
    edits: {},
    sentValues: {},
  })
  if (!isSameValue(recordState.record, initial))
    setRecordState(applyRecordChange(recordState, initial, form.getValues()))
  const { record, edits } = recordState
  // The last record that the untouched fields follow.
  const followed = useRef(record)
  useEffect(() => {
    if (isSameValue(followed.current, record)) return
    const before = followed.current
    followed.current = record
    const isTouched = (name: string) => Object.keys(dirtyFields).includes(name)
    // An emptied field needs null: undefined would restore its initial value.
    const next = Object.fromEntries(
      Object.entries(record)
        .filter(([name, value]) => !isSameValue(before[name], value))
        .map(([name, value]) => [name, value ?? (typeof before[name] === 'string' ? '' : null)]),
    )
    // We leave a list that is being edited unchanged, because its rows have no IDs.
    if (Object.entries(next).some(([name, value]) => Array.isArray(value) && isTouched(name)))
      return
    form.reset({ ...form.formState.defaultValues, ...next } as DefaultValues<Values>, {
      keepDirtyValues: true,
      keepDirty: true,
      keepErrors: true,
      keepSubmitCount: true,
    })
  }, [record, dirtyFields, form])
  const hasOtherEdits = Object.keys(edits).length > 0
  useEffect(() => {
    if (hasOtherEdits) onConcurrentEdit?.()
    // Only when there is something to tell, to the listener of that moment.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [hasOtherEdits])

  const field: BindField<Values> = (name) => {
    const edit = edits[name]
    return {
      ...bind(name),
      concurrentEdit: edit && { ...edit, author: getAuthor(name, edit.to) },
      describe: (one) => {
        described.current.set(name, one)
      },
    }
  }

  const send = async (values: Values) => {
    const changes = Object.fromEntries(
      Object.entries(values).filter(([name, value]) => !isSameValue(value, record[name])),
    ) as Partial<Values>
    setRecordState((now) => ({ ...now, sentValues: changes }))
    const typed = structuredClone(form.getValues())
    try {
      if (confirm && !(await confirm(values))) return
      await onSave(values, changes)
      const typedMeanwhile = Object.entries(structuredClone(form.getValues())).filter(
        ([name, value]) => !isSameValue(value, typed[name]),
      )
      // Saved values no longer count as unsaved changes. The schema's output would, because it
      // leaves out empty values that the fields add again.
      form.reset(typed)
      for (const [name, value] of typedMeanwhile)
        form.setValue(name as Path<Values>, value as PathValue<Values, Path<Values>>, {
          shouldDirty: true,
        })
      setRecordState((now) => ({ ...now, edits: {} }))
    } catch (error) {
      setRecordState((now) => ({ ...now, sentValues: {} }))
      throw error
    }
  }
  const [pendingSave, setPendingSave] = useState<{
    values: Values
    described: ReadonlyMap<string, FieldDescription>
  } | null>(null)
  const overwritten = (values: Values) =>
    Object.entries(edits).filter(
      ([name, { to, isResolved }]) =>
        !isResolved && name in values && !isSameValue(values[name], to),
    )
  const submit = async (values: Values) => {
    if (overwritten(values).length > 0)
      setPendingSave({ values, described: new Map(described.current) })
    else await send(values)
  }
  const conflicts = pendingSave
    ? overwritten(pendingSave.values).map(([name, edit]): EditConflict => ({
        ...edit,
        name,
        mine: pendingSave.values[name],
        described: pendingSave.described.get(name) ?? unnamed,
      }))
    : []
  const takeTheirs = async (values: Values) => {
    const theirs = Object.fromEntries(conflicts.map(({ name, to }) => [name, to]))
    for (const [name, to] of Object.entries(theirs))
      form.setValue(name as Path<Values>, to as PathValue<Values, Path<Values>>, {
        shouldDirty: true,
      })
    await send({ ...values, ...theirs })
  }
  const question: ReactNode = pendingSave && conflicts.length > 0 && (
    <ConcurrentEditsDialog
      conflicts={conflicts}
      getAuthor={getAuthor}
      onKeep={() => attempt(() => send(pendingSave.values))}
      onTake={() => attempt(() => takeTheirs(pendingSave.values))}
      onClose={() => setPendingSave(null)}
    />
  )
  return { form, element, field, save, question }
}
