import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { User } from '~/domain/entities'
import { gatherMyData } from '~/src/features/auth/myData'
import { deleteMyAccount } from '~/src/features/auth/operations'
import { activeOf, bookings as liveBookings } from '~/src/features/bookings/bookings'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { noticeRaised } from '~/src/store/notices'
import { screens } from '~/src/store/screens'
import { Button, TextInput } from '~/src/ui/controls'
import { ConfirmDialog } from '~/src/ui/Dialog'
import { useFormat } from '~/src/ui/format'
import { Icon } from '~/src/ui/Icon'
import { go } from '~/src/ui/place'
import { saveFile } from '~/src/ui/saveFile'
import css from './ProfilePage.module.css'

const Deletion = ({ profile, onClose }: { profile: User; onClose: () => void }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const dispatch = useAppDispatch()
  const { bookings } = useLive(liveBookings, { size: 50 })
  const [typed, setTyped] = useState('')
  const [missing, setMissing] = useState(false)
  const word = t('delete_word')
  const open = activeOf(bookings).filter(({ status }) => status !== 'PAID').length
  const confirm = async () => {
    if (typed.trim().toLocaleLowerCase() !== word.toLocaleLowerCase()) {
      setMissing(true)
      throw new Error('The word was not typed.')
    }
    await dispatch(deleteMyAccount({})).unwrap()
    dispatch(noticeRaised({ tone: 'success', text: 'account_deleted' }))
    go(screens.home)
  }
  return (
    <ConfirmDialog
      danger
      title={t('delete_title')}
      confirm={t('delete_do')}
      onClose={onClose}
      onConfirm={confirm}
    >
      <p>{t('delete_text')}</p>
      {profile.walletBalance > 0 && (
        <p className={css.warning}>
          <Icon name="warning" />
          {t('delete_wallet', { balance: format.money(profile.walletBalance) })}
        </p>
      )}
      {open > 0 && (
        <p className={css.warning}>
          <Icon name="warning" />
          {t('delete_open', { count: open })}
        </p>
      )}
      <TextInput
        label={t('delete_type', { word })}
        value={typed}
        autoComplete="off"
        error={missing ? t('delete_type', { word }) : undefined}
        onChange={({ target }) => {
          setTyped(target.value)
          setMissing(false)
        }}
      />
    </ConfirmDialog>
  )
}

/** What the person may take with him, and how he leaves. */
export const AccountPanel = ({ profile }: { profile: User }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const [busy, setBusy] = useState(false)
  const [deleting, setDeleting] = useState(false)
  const download = async () => {
    setBusy(true)
    try {
      const mine = await dispatch(gatherMyData({ uid: profile.id })).unwrap()
      saveFile('kerbside-my-data.json', 'application/json', JSON.stringify(mine, null, 2))
    } catch {
      // Said by the operation's own notice.
    } finally {
      setBusy(false)
    }
  }
  return (
    <section className={css.form}>
      <h2>{t('my_data')}</h2>
      <p>{t('my_data_text')}</p>
      <div className={css.foot}>
        <Button busy={busy} onClick={() => void download()}>
          <Icon name="download" size={18} />
          {t('my_data_download')}
        </Button>
        <Button look="danger" onClick={() => setDeleting(true)}>
          <Icon name="trash" size={18} />
          {t('delete_account')}
        </Button>
      </div>
      {deleting && <Deletion profile={profile} onClose={() => setDeleting(false)} />}
    </section>
  )
}
