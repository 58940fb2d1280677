import { type ReactNode, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Button } from '~/src/ui/controls'
import { ConfirmDialog } from '~/src/ui/dialogs/Dialog'
import { confirmLeave, useUnsavedChangesPrompt } from '~/src/ui/navigation/unsavedChanges'
import { Panel } from './Panel'
import css from './pages.module.css'
import { hasRequiredField } from '~/src/ui/forms/requiredFields'
import { type EditFormOptions, useEditForm } from '~/src/ui/forms/useEditForm'
import type { BindField } from '~/src/ui/forms/useSchemaForm'
import { useSingleRun } from '~/src/ui/useSingleRun'

interface Props<Values extends FieldValues> extends EditFormOptions<Values> {
  title: string
  /** The label of the save button. */
  saveLabel?: string
  children: (field: BindField<Values>, form: UseFormReturn<Values>) => ReactNode
}

/**
 * Renders the fields, and a sticky bar with the form's error and the save button. Asks before the
 * user leaves unsaved changes.
 */
const EditFormFields = <Values extends FieldValues>({
  className,
  saveLabel,
  beside,
  children,
  ...edit
}: Omit<Props<Values>, 'title'> & {
  className: string | undefined
  /** Other actions, shown next to saving. */
  beside?: ReactNode
}) => {
  const { t } = useTranslation()
  const { form, element, field, save, question } = useEditForm(edit)
  const { isSubmitting, isDirty, errors } = form.formState
  const unsaved = useUnsavedChangesPrompt(isDirty)
  return (
    <>
      <form ref={element} className={className} onSubmit={(event) => void save(event)} noValidate>
        {hasRequiredField(edit.schema) && <p className={css.legend}>{t('required_legend')}</p>}
        {children(field, form)}
        <div className={css.bar}>
          {errors.root?.message && (
            <p className={css.refused} role="alert">
              {errors.root.message}
            </p>
          )}
          <div className={css.foot}>
            <Button variant="primary" type="submit" busy={isSubmitting}>
              {saveLabel ?? t('save')}
            </Button>
            {beside}
          </div>
        </div>
      </form>
      {question}
      {unsaved}
    </>
  )
}

const RemoveButton = ({
  title,
  undoable: canUndo,
  ask,
  onRemove,
}: {
  title: string
  undoable: boolean
  ask?: ReactNode
  onRemove: () => Promise<unknown>
}) => {
  const { t } = useTranslation()
  const [asking, setAsking] = useState(false)
  const { busy, run } = useSingleRun({ isLast: true })
  const remove = () => {
    if (!canUndo) return setAsking(true)
    // The refusal is already shown as a notice.
    run(onRemove).catch(() => undefined)
  }
  return (
    // A single element, because the footer aligns its last child to the end.
    <div>
      <Button variant="danger" busy={busy} onClick={remove}>
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
          {ask}
        </ConfirmDialog>
      )}
    </div>
  )
}

/** A section of a long form, by the ID of its `Section`. */
export interface FormSection {
  id: string
  title: string
}

/** Leads to the sections of a long form. Buttons, because the URL stays that of the page. */
const SectionMenu = ({ sections }: { sections: readonly FormSection[] }) => {
  const { t } = useTranslation()
  const show = (id: string) => {
    const section = document.getElementById(id)
    section?.scrollIntoView({ block: 'start' })
    section?.focus({ preventScroll: true })
  }
  return (
    <nav className={css.sections} aria-label={t('form_sections')}>
      {sections.map(({ id, title }) => (
        <button key={id} type="button" onClick={() => show(id)}>
          {title}
        </button>
      ))}
    </nav>
  )
}

/**
 * Renders an edit page with a frame and a save bar; the fields are its children. Errors appear at
 * their fields. A form with `sections` has a menu of them, and one column of fields.
 */
export const EditPage = <Values extends FieldValues>({
  title,
  sections,
  ...form
}: Omit<Props<Values>, 'title'> & {
  /** The heading; absent where the page around has one. */
  title?: string
  sections?: readonly FormSection[]
}) => (
  <div className={css.page}>
    {title !== undefined && <h1>{title}</h1>}
    {sections ? (
      <div className={css.sectioned}>
        <SectionMenu sections={sections} />
        <EditFormFields className={css.form} {...form} />
      </div>
    ) : (
      <EditFormFields className={css.form} {...form} />
    )}
  </div>
)

/** Renders the same form in a panel next to its list; the panel closes after saving. */
export const EditPanel = <Values extends FieldValues>({
  title,
  wide = false,
  onSave,
  onRemove,
  undoable: canUndo = false,
  removeAsks: removeQuestions,
  onClose,
  ...form
}: Props<Values> & {
  wide?: boolean
  onRemove?: (() => Promise<unknown>) | undefined
  /** True when the removal can be undone, so it needs no confirmation. */
  undoable?: boolean
  /** Questions that an admin must answer before the removal. */
  removeAsks?: ReactNode
  onClose: () => void
}) => (
  <Panel title={title} wide={wide} onClose={() => confirmLeave(onClose)}>
    <EditFormFields
      className={css.bare}
      onSave={(values, changes) => onSave(values, changes).then(onClose)}
      beside={
        onRemove && (
          <RemoveButton
            title={title}
            undoable={canUndo}
            ask={removeQuestions}
            onRemove={() => onRemove().then(onClose)}
          />
        )
      }
      {...form}
    />
  </Panel>
)
