import { useTranslation } from 'react-i18next'
import type { PushNotification } from '~/domain/entities'
import { refusal } from '~/domain/errors'
import { type NotificationForm, notificationForm } from '~/domain/forms/catalogue'
import {
  broadcastNotification,
  editNotifications,
  notifications as liveNotifications,
} from '~/src/features/notifications/notifications'
import { useAppDispatch } from '~/src/store/hooks'
import { fetchWhole } from '~/src/store/fetchWhole'
import { useLive } from '~/src/store/liveSlice'
import { IconButton } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { Ago } from '~/src/ui/office/Ago'
import type { Column } from '~/src/ui/office/DataTable'
import { EditPanel } from '~/src/ui/office/EditPage'
import { SelectField, TextField } from '~/src/ui/office/fields'
import { ListPage } from '~/src/ui/office/ListPage'
import { useOpened } from '~/src/ui/office/tableState'
import { useDeedId } from '../useDeedId'
import { useOffice } from '../useOffice'

/** So many of the newest are read. */
const KEPT = 500

/** Messages to many phones: written here, sent at once, kept to be looked up. */
export const NotificationsPage = () => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { allowed, may, say, sayDeleted } = useOffice()
  const { notifications, ...look } = useLive(liveNotifications, KEPT)
  const { opened, open, close } = useOpened('edit')
  const { idOf, done } = useDeedId()
  const targets = {
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
  }
  const nameOf = (of: keyof typeof targets, value: string) =>
    targets[of].find((one) => one.value === value)?.label ?? value
  const columns: Column<PushNotification>[] = [
    { id: 'title', title: t('title'), sort: (n) => n.title, cell: (n) => n.title },
    { id: 'body', title: t('body'), sort: (n) => n.body, cell: (n) => n.body },
    {
      id: 'usertype',
      title: t('usertype'),
      sort: (n) => n.usertype,
      cell: (n) => nameOf('usertype', n.usertype),
    },
    {
      id: 'devicetype',
      title: t('device_type'),
      sort: (n) => n.devicetype,
      cell: (n) => nameOf('devicetype', n.devicetype),
    },
    {
      id: 'createdAt',
      title: t('sent_at'),
      sort: (n) => n.createdAt,
      text: (n) => new Date(n.createdAt).toISOString(),
      cell: (n) => <Ago at={n.createdAt} />,
    },
  ]
  const send = async (values: NotificationForm) => {
    if (!may('notification_send')) throw refusal('demo_mode')
    const notification_id = await idOf(values)
    const count = await dispatch(
      broadcastNotification({ notification_id, ...values, quiet: true }),
    ).unwrap()
    done()
    say('notification_sent', { count })
  }
  const remove = (notification: PushNotification) =>
    void dispatch(editNotifications({ notification, method: 'Delete' }))
      .unwrap()
      .then(
        () => sayDeleted(() => dispatch(editNotifications({ notification, method: 'Add' }))),
        // The refusal is a notice already.
        () => undefined,
      )
  return (
    <ListPage
      id="notifications"
      title={t('menu_notifications')}
      look={look}
      add={{ label: t('add_notification'), onAdd: () => open('new') }}
      empty={t('no_data_available')}
      rows={notifications}
      columns={columns}
      search={(n) => `${n.title} ${n.body}`}
      actions={(n) => (
        <IconButton label={t('delete')} onClick={() => allowed('notification_send') && remove(n)}>
          <Icon name="trash" />
        </IconButton>
      )}
      {...(may('table_export') && {
        exportAs: {
          name: 'notifications',
          rows: async (onProgress) =>
            (await dispatch(
              fetchWhole({ path: 'notifications', onProgress }),
            ).unwrap()) as PushNotification[],
        },
      })}
    >
      {opened === 'new' && (
        <EditPanel<NotificationForm>
          title={t('add_notification')}
          schema={notificationForm}
          initial={{ devicetype: 'All', usertype: 'All', title: '', body: '' }}
          saveLabel={t('send')}
          onSave={send}
          onClose={() => close()}
        >
          {(field) => (
            <>
              <SelectField
                label={t('usertype')}
                options={targets.usertype}
                {...field('usertype')}
              />
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
      )}
    </ListPage>
  )
}
