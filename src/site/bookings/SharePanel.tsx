import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Booking } from '~/domain/entities'
import {
  keepLinks,
  revokeShare,
  shareBooking,
  type SharedLink,
  sharedLinks,
  type ShareLevel,
} from '~/src/features/bookings/sharing'
import { useAppDispatch } from '~/src/store/hooks'
import { noticeRaised } from '~/src/store/notices'
import { screens } from '~/src/store/screens'
import { Button, IconButton, Segments } from '~/src/ui/controls'
import { DateTime } from '~/src/ui/format'
import { Icon } from '~/src/ui/Icon'
import { Link } from '~/src/ui/place'
import css from './BookingPage.module.css'

const HOURS = 24

const hand = async (title: string, url: string): Promise<'shared' | 'copied' | 'failed'> => {
  // Phones have a sheet of their own for this; elsewhere a copy is what one wants.
  if (navigator.share && matchMedia('(pointer: coarse)').matches) {
    const shared = await navigator.share({ title, url }).then(
      () => true,
      () => false,
    )
    if (shared) return 'shared'
  }
  return navigator.clipboard.writeText(url).then(
    () => 'copied',
    () => 'failed',
  )
}

/** Links by which others may follow a booking without an account: made, copied, taken back. */
export const SharePanel = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const [links, setLinks] = useState(() => sharedLinks(booking.id))
  const [level, setLevel] = useState<ShareLevel>('live')
  const [busy, setBusy] = useState(false)
  const keep = (next: SharedLink[]) => {
    keepLinks(booking.id, next)
    setLinks(next)
  }
  const give = async (link: SharedLink) => {
    const url = new URL(screens.track(link.token), window.location.origin).href
    const done = await hand(t('share_title'), url)
    if (done !== 'shared')
      dispatch(
        done === 'copied'
          ? noticeRaised({ tone: 'success', text: 'share_copied' })
          : noticeRaised({ tone: 'problem', text: 'share_not_copied' }),
      )
  }
  const make = async () => {
    setBusy(true)
    try {
      const link = await dispatch(
        shareBooking({ booking_id: booking.id, level, hours: HOURS }),
      ).unwrap()
      keep([...links, link])
      await give(link)
    } catch {
      // Said by the operation's own notice.
    } finally {
      setBusy(false)
    }
  }
  const revoke = async ({ token }: SharedLink) => {
    try {
      await dispatch(revokeShare({ booking_id: booking.id, revoke: token })).unwrap()
      keep(links.filter((link) => link.token !== token))
      dispatch(noticeRaised({ tone: 'success', text: 'share_revoked' }))
    } catch {
      // Said by the operation's own notice.
    }
  }
  return (
    <section className={css.panel}>
      <h2>{t('share_title')}</h2>
      <p className={css.muted}>{t('share_text')}</p>
      <Segments
        legend={t('share_level')}
        value={level}
        onChange={setLevel}
        options={[
          { value: 'live', label: t('share_live') },
          { value: 'status', label: t('share_status') },
        ]}
      />
      <Button busy={busy} onClick={() => void make()}>
        <Icon name="send" size={18} />
        {t('share_make')}
      </Button>
      {links.length > 0 && (
        <ul role="list" className={css.links}>
          {links.map((link) => (
            <li key={link.token}>
              <span>
                <Link to={screens.track(link.token)}>{t(`share_${link.level}`)}</Link>
                <small>
                  {t('share_until')} <DateTime at={link.expires} />
                </small>
              </span>
              <IconButton label={t('share_copy')} onClick={() => void give(link)}>
                <Icon name="copy" />
              </IconButton>
              <Button size="small" look="danger" onClick={() => void revoke(link)}>
                {t('share_revoke')}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
