import { useTranslation } from 'react-i18next'
import { withLabel, withoutReason, withReason } from '~/domain/cancelReasons'
import type { CancelReason } from '~/domain/entities'
import { refusal } from '~/domain/errors'
import { type CancelReasonForm, cancelReasonForm } from '~/domain/forms/catalogue'
import {
  cancelReasons as liveReasons,
  editCancellationReason,
} from '~/src/features/cancelReasons/cancelReasons'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { EditPanel } from '~/src/ui/office/EditPage'
import { Section, TextField } from '~/src/ui/office/fields'
import { ListPage } from '~/src/ui/office/ListPage'
import pages from '~/src/ui/office/pages.module.css'
import { useOpened } from '~/src/ui/office/tableState'
import { AuditTrail } from '../audit/AuditTrail'
import { useOffice } from '../useOffice'

/** Why a booking may be cancelled. Values are positions: they are given anew with each save. */
export const CancelReasonsPage = () => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { may, say, sayDeleted } = useOffice()
  const { complex, ...look } = useLive(liveReasons)
  const { opened, open, close } = useOpened('edit')
  const editable = may('cancel_reasons_save')
  const reason = complex.find(({ value }) => String(value) === opened)

  const write = async (reasons: CancelReason[], quiet: boolean) => {
    if (!editable) throw refusal('demo_mode')
    await dispatch(
      editCancellationReason({ labels: reasons.map(({ label }) => label), quiet }),
    ).unwrap()
  }
  const save = async ({ label }: CancelReasonForm) => {
    await write(reason ? withLabel(complex, reason.value, label) : withReason(complex, label), true)
    say('saved')
  }
  const remove = async () => {
    await write(withoutReason(complex, reason?.value ?? -1), false)
    sayDeleted(() => write(complex, false).catch(() => undefined))
  }

  return (
    <ListPage
      id="cancelreasons"
      title={t('menu_cancel_reasons')}
      look={look}
      add={editable ? { label: t('add_cancel_reason'), onAdd: () => open('new') } : undefined}
      lead={!editable && <p className={pages.note}>{t('demo_mode')}</p>}
      empty={t('no_cancel_reason')}
      rows={complex}
      columns={[
        {
          id: 'label',
          title: t('reason'),
          sort: (one) => one.label,
          cell: (one) => one.label,
        },
      ]}
      defaults={{ size: 10 }}
      search={(one) => one.label}
      {...(editable && { onOpen: (one: CancelReason) => open(String(one.value)) })}
      {...(may('table_export') && { exportAs: { name: 'cancelreasons' } })}
    >
      {editable && (reason || opened === 'new') && (
        <EditPanel<CancelReasonForm>
          key={opened}
          title={reason?.label ?? t('add_cancel_reason')}
          schema={cancelReasonForm}
          initial={{ label: reason?.label ?? '' }}
          onSave={save}
          onClose={() => close()}
          {...(reason && { onRemove: remove, undoable: true })}
        >
          {(field) => (
            <>
              <TextField label={t('reason')} {...field('label')} />
              {reason && (
                <Section title={t('audit_of_record')}>
                  <AuditTrail path="cancel_reason" />
                </Section>
              )}
            </>
          )}
        </EditPanel>
      )}
    </ListPage>
  )
}
