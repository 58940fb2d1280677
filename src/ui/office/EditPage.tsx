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
  /** The words on the button. */
  saveLabel?: string
  children: (field: Field<Values>, form: UseFormReturn<Values>) => ReactNode
}

/** The fields, what is wrong with them as a whole, and the way to save; asks before unsaved changes are left. */
const Form = <Values extends FieldValues>({
  className,
  saveLabel,
  beside,
  children,
  ...edit
}: Omit<Props<Values>, 'title'> & {
  className: string | undefined
  /** What else can be done, beside saving. */
  beside?: ReactNode
}) => {
  const { t } = useTranslation()
  const { form, field, save } = useEditForm(edit)
  const { isSubmitting, isDirty, errors } = form.formState
  const question = useUnsaved(isDirty)
  return (
    <>
      <form className={className} onSubmit={(event) => void save(event)} noValidate>
        {children(field, form)}
        {errors.root?.message && (
          <p className={css.refused} role="alert">
            {errors.root.message}
          </p>
        )}
        <div className={css.foot}>
          <Button look="primary" type="submit" busy={isSubmitting}>
            {saveLabel ?? t('save')}
          </Button>
          {beside}
        </div>
      </form>
      {question}
    </>
  )
}

const Remove = ({
  title,
  undoable,
  onRemove,
}: {
  title: string
  undoable: boolean
  onRemove: () => Promise<unknown>
}) => {
  const { t } = useTranslation()
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const remove = () => {
    if (!undoable) return setAsking(true)
    setBusy(true)
    // The refusal is a notice already.
    onRemove().catch(() => setBusy(false))
  }
  return (
    // One element: the foot puts what is last at its end.
    <div>
      <Button look="danger" busy={busy} onClick={remove}>
        {t('delete')}
      </Button>
      {asking && (
        <ConfirmDialog
          danger
          title={t('delete_question', { name: title })}
          confirm={t('delete')}
          onConfirm={onRemove}
          onClose={() => setAsking(false)}
        >
          <p>{t('delete_for_good')}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

/** An edit screen: the frame and its saving; the fields are its children. Refusals land at their field. */
export const EditPage = <Values extends FieldValues>({ title, ...form }: Props<Values>) => (
  <div className={css.page}>
    <h1>{title}</h1>
    <Form className={css.form} {...form} />
  </div>
)

/** The same in a panel beside its list, which it closes when it has saved. */
export const EditPanel = <Values extends FieldValues>({
  title,
  wide = false,
  onSave,
  onRemove,
  undoable = false,
  onClose,
  ...form
}: Props<Values> & {
  wide?: boolean
  onRemove?: (() => Promise<unknown>) | undefined
  /** What is removed can be had back: nobody is asked before. */
  undoable?: boolean
  onClose: () => void
}) => (
  <Panel title={title} wide={wide} onClose={() => leaving(onClose)}>
    <Form
      className={css.bare}
      onSave={(values) => onSave(values).then(onClose)}
      beside={
        onRemove && (
          <Remove title={title} undoable={undoable} onRemove={() => onRemove().then(onClose)} />
        )
      }
      {...form}
    />
  </Panel>
)
