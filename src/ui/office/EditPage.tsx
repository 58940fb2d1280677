import { type ReactNode, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Button } from '../controls'
import { ConfirmDialog } from '../Dialog'
import { leaving, useUnsaved } from '../unsaved'
import { Panel } from './Panel'
import css from './pages.module.css'
import { type EditForm, type Field, useEditForm } from './useEditForm'

interface Props<Values extends FieldValues> extends EditForm<Values> {
  title: string
  onRemove?: (() => Promise<unknown>) | undefined
  /** What is removed can be had back: nobody is asked before. */
  undoable?: boolean
  /** The words on the button. */
  saveLabel?: string
  /** Already translated: nothing can be saved, and why. */
  readOnly?: string | undefined
  children: (field: Field<Values>, form: UseFormReturn<Values>) => ReactNode
}

const Foot = ({
  busy,
  title,
  saveLabel,
  readOnly,
  onRemove,
  undoable,
}: {
  busy: boolean
  title: string
  saveLabel: string | undefined
  readOnly: string | undefined
  onRemove: (() => Promise<unknown>) | undefined
  undoable: boolean
}) => {
  const { t } = useTranslation()
  const [removing, setRemoving] = useState(false)
  const [gone, setGone] = useState(false)
  return (
    <>
      {readOnly && <p className={css.note}>{readOnly}</p>}
      <div className={css.foot}>
        <Button look="primary" type="submit" busy={busy} disabled={readOnly !== undefined}>
          {saveLabel ?? t('save')}
        </Button>
        {onRemove && (
          <Button
            look="danger"
            busy={gone}
            onClick={() => {
              if (!undoable) return setRemoving(true)
              setGone(true)
              // The refusal is a notice already.
              onRemove().catch(() => setGone(false))
            }}
          >
            {t('delete')}
          </Button>
        )}
      </div>
      {removing && onRemove && (
        <ConfirmDialog
          danger
          title={t('delete_question', { name: title })}
          confirm={t('delete')}
          onConfirm={onRemove}
          onClose={() => setRemoving(false)}
        >
          <p>{t('delete_for_good')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** An edit screen: the frame and its saving; the fields are its children. Refusals land at their field. */
export const EditPage = <Values extends FieldValues>({
  title,
  onRemove,
  undoable = false,
  saveLabel,
  readOnly,
  children,
  ...edit
}: Props<Values>) => {
  const { form, field, save } = useEditForm(edit)
  const { isSubmitting, isDirty, errors } = form.formState
  const question = useUnsaved(isDirty)
  return (
    <div className={css.page}>
      {question}
      <h1>{title}</h1>
      <form className={css.form} onSubmit={(event) => void save(event)} noValidate>
        {children(field, form)}
        {errors.root?.message && (
          <p className={css.refused} role="alert">
            {errors.root.message}
          </p>
        )}
        <Foot busy={isSubmitting} {...{ title, saveLabel, readOnly, onRemove, undoable }} />
      </form>
    </div>
  )
}

/** The same in a panel beside its list; asks before unsaved changes are left. */
export const EditPanel = <Values extends FieldValues>({
  title,
  onRemove,
  undoable = false,
  saveLabel,
  readOnly,
  children,
  onClose,
  wide,
  ...edit
}: Props<Values> & { onClose: () => void; wide?: boolean }) => {
  const { form, field, save } = useEditForm({
    ...edit,
    onSave: (values) => edit.onSave(values).then(onClose),
  })
  const { isSubmitting, isDirty, errors } = form.formState
  const question = useUnsaved(isDirty)
  return (
    <Panel title={title} wide={wide ?? false} onClose={() => leaving(onClose)}>
      <form className={css.bare} onSubmit={(event) => void save(event)} noValidate>
        {children(field, form)}
        {errors.root?.message && (
          <p className={css.refused} role="alert">
            {errors.root.message}
          </p>
        )}
        <Foot
          busy={isSubmitting}
          onRemove={onRemove && (() => onRemove().then(onClose))}
          {...{ title, saveLabel, readOnly, undoable }}
        />
      </form>
      {question}
    </Panel>
  )
}
