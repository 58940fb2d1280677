import { type ReactNode, useEffect, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Button } from '../controls'
import { ConfirmDialog } from '../Dialog'
import { go } from '../place'
import { Panel } from './Panel'
import css from './pages.module.css'
import { type EditForm, type Field, useEditForm } from './useEditForm'

interface Props<Values extends FieldValues> extends EditForm<Values> {
  title: string
  onRemove?: (() => Promise<unknown>) | undefined
  /** The words on the button. */
  saveLabel?: string
  /** Already translated: nothing can be saved, and why. */
  readOnly?: string | undefined
  children: (field: Field<Values>, form: UseFormReturn<Values>) => ReactNode
}

/** Asks before the page is closed or reloaded with changes that are not saved. */
const useLeaveGuard = (dirty: boolean) =>
  useEffect(() => {
    if (!dirty) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [dirty])

/** Where a link on the page would lead in this tab, or null. */
const linkOf = (event: MouseEvent): string | null => {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return null
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null
  if (!(link instanceof HTMLAnchorElement) || link.target || link.origin !== location.origin)
    return null
  const to = link.pathname + link.search
  return link.pathname === location.pathname ? null : to
}

/** Asks before a link of the menu leaves unsaved changes; answers the question to draw. */
const useLinkGuard = (dirty: boolean): ReactNode => {
  const { t } = useTranslation()
  const [to, setTo] = useState<string | null>(null)
  useEffect(() => {
    if (!dirty) return
    const ask = (event: MouseEvent) => {
      const wanted = linkOf(event)
      if (wanted === null) return
      // Before the router hears of it.
      event.preventDefault()
      event.stopPropagation()
      setTo(wanted)
    }
    document.addEventListener('click', ask, true)
    return () => document.removeEventListener('click', ask, true)
  }, [dirty])
  if (to === null) return null
  return (
    <ConfirmDialog
      danger
      title={t('unsaved_changes')}
      confirm={t('leave')}
      onConfirm={async () => go(to)}
      onClose={() => setTo(null)}
    />
  )
}

const Foot = ({
  busy,
  title,
  saveLabel,
  readOnly,
  onRemove,
}: {
  busy: boolean
  title: string
  saveLabel: string | undefined
  readOnly: string | undefined
  onRemove: (() => Promise<unknown>) | undefined
}) => {
  const { t } = useTranslation()
  const [removing, setRemoving] = useState(false)
  return (
    <>
      {readOnly && <p className={css.note}>{readOnly}</p>}
      <div className={css.foot}>
        <Button look="primary" type="submit" busy={busy} disabled={readOnly !== undefined}>
          {saveLabel ?? t('save')}
        </Button>
        {onRemove && (
          <Button look="danger" onClick={() => setRemoving(true)}>
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
  saveLabel,
  readOnly,
  children,
  ...edit
}: Props<Values>) => {
  const { form, field, save } = useEditForm(edit)
  const { isSubmitting, isDirty, errors } = form.formState
  useLeaveGuard(isDirty)
  const question = useLinkGuard(isDirty)
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
        <Foot busy={isSubmitting} {...{ title, saveLabel, readOnly, onRemove }} />
      </form>
    </div>
  )
}

/** The same in a panel beside its list; asks before unsaved changes are left. */
export const EditPanel = <Values extends FieldValues>({
  title,
  onRemove,
  saveLabel,
  readOnly,
  children,
  onClose,
  wide,
  ...edit
}: Props<Values> & { onClose: () => void; wide?: boolean }) => {
  const { t } = useTranslation()
  const { form, field, save } = useEditForm({
    ...edit,
    onSave: (values) => edit.onSave(values).then(onClose),
  })
  const { isSubmitting, isDirty, errors } = form.formState
  const [leaving, setLeaving] = useState(false)
  useLeaveGuard(isDirty)
  return (
    <Panel
      title={title}
      wide={wide ?? false}
      onClose={() => (isDirty ? setLeaving(true) : onClose())}
    >
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
          {...{ title, saveLabel, readOnly }}
        />
      </form>
      {leaving && (
        <ConfirmDialog
          danger
          title={t('unsaved_changes')}
          confirm={t('leave')}
          onConfirm={async () => onClose()}
          onClose={() => setLeaving(false)}
        />
      )}
    </Panel>
  )
}
