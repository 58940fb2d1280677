import { useTranslation } from 'react-i18next'
import { relabelReason, removeReason, addReason } from '~/domain/catalog/cancellationReasons'
import { domainError } from '~/domain/api/errors'
import { type CancellationReasonForm, cancellationReasonForm } from '~/domain/forms/catalogForms'
import {
  liveCancellationReasons as liveReasons,
  editCancellationReason,
} from '~/src/features/cancellationReasons/cancellationReasons'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { EditPanel } from '~/src/office/recordPages/EditPage'
import { Section, TextField } from '~/src/ui/forms/fields'
import { ListPage } from '~/src/office/recordPages/ListPage'
import { TranslatedTexts } from '~/src/office/recordPages/TranslatedTexts'
import pages from '~/src/office/recordPages/pages.module.css'
import { useOverlayParam } from '~/src/ui/table/tableState'
import { AuditTrail } from '../audit/AuditTrail'
import { useEditAuthors } from '../audit/useEditAuthors'
import { useOfficeSession } from '../useOfficeSession'
import type { CancellationReason } from '~/domain/catalog/types'

/** Edits a reason, or adds one. */
const ReasonPanel = ({
  reason,
  reasons,
  onClose,
}: {
  reason: CancellationReason | undefined
  reasons: CancellationReason[]
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { can, notify, notifyDeleted } = useOfficeSession()
  const authors = useEditAuthors(reason && 'cancel_reason')
  const write = async (changed: CancellationReason[], isQuiet: boolean) => {
    if (!can('cancel_reasons_save')) throw domainError('demo_mode')
    await dispatch(
      (isQuiet ? editCancellationReason.quiet : editCancellationReason)({
        reasons: changed,
      }),
    ).unwrap()
  }
  const save = async (texts: CancellationReasonForm) => {
    await write(
      reason ? relabelReason(reasons, reason.value, texts) : addReason(reasons, texts),
      true,
    )
    notify('saved')
  }
  const remove = async () => {
    await write(removeReason(reasons, reason?.value ?? -1), false)
    notifyDeleted(() => write(reasons, false).catch(() => undefined))
  }
  return (
    <EditPanel<CancellationReasonForm>
      title={reason?.label ?? t('add_cancel_reason')}
      schema={cancellationReasonForm}
      initial={{ label: reason?.label ?? '', ...(reason?.names && { names: reason.names }) }}
      onSave={save}
      {...authors}
      onClose={onClose}
      {...(reason && { onRemove: remove, undoable: true })}
    >
      {(field) => (
        <>
          <TextField label={t('reason')} {...field('label')} />
          <TranslatedTexts binding={field('names')}>
            {({ langName, langLocale }) => (
              <TextField key={langLocale} label={langName} {...field(`names.${langLocale}`)} />
            )}
          </TranslatedTexts>
          {reason && (
            <Section title={t('audit_of_record')}>
              <AuditTrail path="cancel_reason" />
            </Section>
          )}
        </>
      )}
    </EditPanel>
  )
}

/** Edits the cancellation reasons. Their values are positions, which each save numbers again. */
export const CancellationReasonsPage = () => {
  const { t } = useTranslation()
  const { can } = useOfficeSession()
  const { complex, ...listQuery } = useLive(liveReasons)
  const { opened, open, linkTo, close } = useOverlayParam('edit')
  const editable = can('cancel_reasons_save')
  const reason = complex.find(({ value }) => String(value) === opened)
  return (
    <ListPage
      id="cancelreasons"
      title={t('menu_cancel_reasons')}
      query={listQuery}
      add={editable ? { label: t('add_cancel_reason'), onAdd: () => open('new') } : undefined}
      lead={!editable && <p className={pages.note}>{t('demo_mode')}</p>}
      empty={t('no_cancel_reason')}
      rows={complex}
      columns={[
        {
          id: 'label',
          title: t('reason'),
          sortValue: (one) => one.label,
          cell: (one) => one.label,
        },
      ]}
      defaults={{ size: 10 }}
      toSearchText={(one) => one.label}
      {...(editable && {
        linkTo: (one: CancellationReason) => linkTo(String(one.value)),
        onOpen: (one: CancellationReason) => open(String(one.value)),
      })}
      {...(can('table_export') && { exportAs: { name: 'cancelreasons' } })}
    >
      {editable && (reason || opened === 'new') && (
        <ReasonPanel key={opened} reason={reason} reasons={complex} onClose={() => close()} />
      )}
    </ListPage>
  )
}
