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
import { Button } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { DataTable } from '~/src/ui/office/DataTable'
import { EditPanel } from '~/src/ui/office/EditPage'
import { TextField } from '~/src/ui/office/fields'
import pages from '~/src/ui/office/pages.module.css'
import { useAddress } from '~/src/ui/office/tableState'
import { EmptyState } from '~/src/ui/states'
import { useOffice } from '../useOffice'

/** Why a booking may be cancelled. Values are positions: they are given anew with each save. */
export const CancelReasonsPage = () => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { may, say, sayDeleted } = useOffice()
  const { complex, loading, error } = useLive(liveReasons)
  const [edited, setEdited] = useAddress('edit')
  const editable = may('cancel_reasons_save')
  const reason = complex.find(({ value }) => String(value) === edited)

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
    <div className={pages.page}>
      <div className={pages.head}>
        <h1>{t('menu_cancel_reasons')}</h1>
        {editable && (
          <Button look="primary" onClick={() => setEdited('new')}>
            <Icon name="plus" size={18} />
            {t('add_cancel_reason')}
          </Button>
        )}
      </div>
      {!editable && <p className={pages.note}>{t('demo_mode')}</p>}
      <DataTable
        label={t('menu_cancel_reasons')}
        rows={complex}
        columns={[
          {
            id: 'label',
            title: t('reason'),
            sort: (one) => one.label,
            cell: (one) => one.label,
          },
        ]}
        loading={loading}
        error={error.flag ? t(error.msg ?? '') : null}
        defaults={{ size: 10 }}
        search={(one) => one.label}
        {...(editable && { onOpen: (one: CancelReason) => setEdited(String(one.value)) })}
        {...(may('table_export') && { exportAs: { name: 'cancelreasons' } })}
        empty={<EmptyState title={t('no_cancel_reason')} />}
      />
      {editable && (reason || edited === 'new') && (
        <EditPanel<CancelReasonForm>
          key={edited}
          title={reason?.label ?? t('add_cancel_reason')}
          schema={cancelReasonForm}
          initial={{ label: reason?.label ?? '' }}
          onSave={save}
          onClose={() => setEdited(null)}
          {...(reason && { onRemove: remove, undoable: true })}
        >
          {(field) => <TextField label={t('reason')} {...field('label')} />}
        </EditPanel>
      )}
    </div>
  )
}
