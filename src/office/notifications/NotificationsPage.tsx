import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { domainError } from '~/domain/api/errors'
import { type NotificationForm, notificationForm } from '~/domain/forms/catalogForms'
import {
  broadcastNotification,
  editNotifications,
  liveNotifications,
} from '~/src/features/notifications/notifications'
import { useAppDispatch } from '~/src/store/hooks'
import { fetchAllRecords } from '~/src/store/allRecords'
import { useLive } from '~/src/store/live/liveSlice'
import { IconButton } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { createTimeColumn } from '~/src/ui/table/timeColumn'
import { EditPanel } from '~/src/office/recordPages/EditPage'
import { SelectField, TextField } from '~/src/ui/forms/fields'
import { ListPage } from '~/src/office/recordPages/ListPage'
import { useOverlayParam } from '~/src/ui/table/tableState'
import { useIdempotencyKey } from '~/src/store/useIdempotencyKey'
import { useOfficeSession } from '../useOfficeSession'
import type { Column } from '~/src/ui/table/tableProps'
import type { PushNotification } from '~/domain/messages/types'

/** Maximum number of notifications read, newest first. */
const MAX_NOTIFICATIONS = 500

interface Target {
  value: string
  label: string
}

/** Returns the groups of people and of devices that a message can go to. */
const getTargets = (t: TFunction) => ({
  usertype: [
    { value: 'All', label: t('all') },
    { value: 'rider', label: t('rider') },
    { value: 'driver', label: t('driver') },
  ],
  devicetype: [
    { value: 'All', label: t('all') },
    { value: 'ANDROID', label: 'Android' },
    { value: 'IOS', label: 'iOS' },
  ],
})

const getLabel = (targets: readonly Target[], value: string) =>
  targets.find((one) => one.value === value)?.label ?? value

const createColumns = (t: TFunction): Column<PushNotification>[] => {
  const targets = getTargets(t)
  return [
    {
      id: 'title',
      title: t('title'),
      sortValue: (n) => n.title,
      cell: (n) => n.title,
      isOnCard: true,
    },
    { id: 'body', title: t('body'), sortValue: (n) => n.body, cell: (n) => n.body },
    {
      id: 'usertype',
      title: t('usertype'),
      sortValue: (n) => getLabel(targets.usertype, n.usertype),
      cell: (n) => getLabel(targets.usertype, n.usertype),
      isOnCard: true,
    },
    {
      id: 'devicetype',
      title: t('device_type'),
      sortValue: (n) => getLabel(targets.devicetype, n.devicetype),
      cell: (n) => getLabel(targets.devicetype, n.devicetype),
    },
    createTimeColumn({
      id: 'createdAt',
      title: t('sent_at'),
      at: (n) => n.createdAt,
      isOnCard: true,
    }),
  ]
}

/** Writes a message and sends it. */
const NotificationPanel = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { can, notify } = useOfficeSession()
  const { getKey, reset } = useIdempotencyKey()
  const targets = getTargets(t)
  const send = async (values: NotificationForm) => {
    if (!can('notification_send')) throw domainError('demo_mode')
    const notification_id = await getKey(values)
    const count = await dispatch(
      broadcastNotification.quiet({ notification_id, ...values }),
    ).unwrap()
    reset()
    if (count === null) notify('notification_sending')
    else notify('notification_sent', { count })
  }
  return (
    <EditPanel<NotificationForm>
      title={t('add_notification')}
      schema={notificationForm}
      initial={{ devicetype: 'All', usertype: 'All', title: '', body: '' }}
      saveLabel={t('send')}
      onSave={send}
      onClose={onClose}
    >
      {(field) => (
        <>
          <SelectField label={t('usertype')} options={targets.usertype} {...field('usertype')} />
          <SelectField
            label={t('device_type')}
            options={targets.devicetype}
            {...field('devicetype')}
          />
          <TextField label={t('title')} {...field('title')} />
          <TextField label={t('body')} multiline {...field('body')} />
        </>
      )}
    </EditPanel>
  )
}

/** Sends messages to many phones at once and lists the sent ones. */
export const NotificationsPage = () => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { canOrNotify, can, notifyDeleted } = useOfficeSession()
  const { notifications, ...listQuery } = useLive(liveNotifications, MAX_NOTIFICATIONS)
  const { opened, open, close } = useOverlayParam('edit')
  const remove = (notification: PushNotification) =>
    void dispatch(editNotifications({ notification, method: 'Delete' }))
      .unwrap()
      .then(
        () => notifyDeleted(() => dispatch(editNotifications({ notification, method: 'Add' }))),
        // The refusal is already shown as a notice.
        () => undefined,
      )
  return (
    <ListPage
      id="notifications"
      title={t('menu_notifications')}
      query={listQuery}
      add={{ label: t('add_notification'), onAdd: () => open('new') }}
      empty={t('no_data_available')}
      rows={notifications}
      isPartial={notifications.length >= MAX_NOTIFICATIONS}
      columns={createColumns(t)}
      toSearchText={(n) => `${n.title} ${n.body}`}
      actions={(n) => (
        <IconButton
          label={t('delete')}
          onClick={() => canOrNotify('notification_send') && remove(n)}
        >
          <Icon name="trash" />
        </IconButton>
      )}
      {...(can('table_export') && {
        exportAs: {
          name: 'notifications',
          rows: async (onProgress) =>
            (await dispatch(
              fetchAllRecords({ path: 'notifications', onProgress }),
            ).unwrap()) as PushNotification[],
        },
      })}
    >
      {opened === 'new' && <NotificationPanel onClose={() => close()} />}
    </ListPage>
  )
}
