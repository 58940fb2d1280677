import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getTripEnd } from '~/domain/booking/contactAccess'
import { getShareExpiry } from '~/domain/access/shares'
import {
  saveShareLinks,
  revokeShareLink,
  shareBooking,
  type ShareLink,
  loadShareLinks,
  type ShareLevel,
  addShareLink,
} from '~/src/features/bookings/shareLinks'
import { useAppDispatch } from '~/src/store/hooks'
import { ENDED_BY_PAGE_CHANGE, noticeRaised } from '~/src/store/notices'
import { screenPaths } from '~/src/store/screenPaths'
import { Button, IconButton, SegmentedControl } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import { DateTime } from '~/src/ui/format/values'
import { Icon } from '~/src/ui/Icon'
import { Link } from '~/src/ui/navigation/router'
import { shareLink } from '~/src/ui/share'
import { useSingleRun } from '~/src/ui/useSingleRun'
import css from './BookingPage.module.css'
import type { Booking } from '~/domain/booking/types'

const LINK_HOURS = 24

/** Holds the links that this device has created, and what creates, copies and revokes them. */
const useShareLinks = (booking: Booking) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const [links, setLinks] = useState(() => loadShareLinks(booking.id))
  const { busy, run } = useSingleRun()
  const updateLinks = (next: ShareLink[]) => {
    saveShareLinks(booking.id, next)
    setLinks(next)
  }
  const shareOrCopy = async (link: ShareLink) => {
    const url = new URL(screenPaths.sharedBooking(link.token), window.location.origin).href
    const outcome = await shareLink(t('share_title'), url)
    if (outcome !== 'shared')
      dispatch(
        outcome === 'copied'
          ? noticeRaised({ tone: 'success', text: 'share_copied' })
          : noticeRaised({
              tone: 'problem',
              text: 'share_not_copied',
              endedBy: ENDED_BY_PAGE_CHANGE,
            }),
      )
  }
  // The operations' own notices show a refusal.
  const createLink = (level: ShareLevel) =>
    run(async () => {
      const link = await dispatch(
        shareBooking({ booking_id: booking.id, level, hours: LINK_HOURS }),
      ).unwrap()
      updateLinks(addShareLink(links, link))
      await shareOrCopy(link)
    }).catch(() => undefined)
  const revoke = ({ token }: ShareLink) =>
    run(async () => {
      await dispatch(revokeShareLink({ booking_id: booking.id, revoke: token })).unwrap()
      updateLinks(links.filter((link) => link.token !== token))
      dispatch(noticeRaised({ tone: 'success', text: 'share_revoked' }))
    }).catch(() => undefined)
  return {
    links,
    busy,
    createLink: (level: ShareLevel) => void createLink(level),
    shareOrCopy: (link: ShareLink) => void shareOrCopy(link),
    revoke: (link: ShareLink) => void revoke(link),
  }
}

/** Lists the links with their end. */
const LinkList = ({
  booking,
  sharing: { links, shareOrCopy, revoke },
}: {
  booking: Booking
  sharing: ReturnType<typeof useShareLinks>
}) => {
  const { t } = useTranslation()
  return (
    <ul role="list" className={css.links}>
      {links.map((link) => (
        <li key={link.token}>
          <span>
            <Link to={screenPaths.sharedBooking(link.token)}>{t(`share_${link.level}`)}</Link>
            <small>
              {t('share_until')} <DateTime at={getShareExpiry(link, booking)} />
            </small>
          </span>
          <IconButton label={t('share_copy')} onClick={() => shareOrCopy(link)}>
            <Icon name="copy" />
          </IconButton>
          <Button size="small" variant="danger" onClick={() => revoke(link)}>
            {t('share_revoke')}
          </Button>
        </li>
      ))}
    </ul>
  )
}

/** Creates, copies and revokes links that let others follow a booking without an account. */
export const ShareDialog = ({ booking, onClose }: { booking: Booking; onClose: () => void }) => {
  const { t } = useTranslation()
  const sharing = useShareLinks(booking)
  const [level, setLevel] = useState<ShareLevel>('live')
  const hasEnded = getTripEnd(booking) !== undefined
  return (
    <Dialog
      title={t('share_title')}
      onClose={onClose}
      actions={
        !hasEnded && (
          <Button
            variant="primary"
            size="large"
            wide
            busy={sharing.busy}
            onClick={() => sharing.createLink(level)}
          >
            <Icon name="send" size={18} />
            {t('share_make')}
          </Button>
        )
      }
    >
      <p className={css.muted}>{t(hasEnded ? 'share_ended' : 'share_text')}</p>
      {!hasEnded && (
        <SegmentedControl
          legend={t('share_level')}
          value={level}
          onChange={setLevel}
          options={[
            { value: 'live', label: t('share_live') },
            { value: 'status', label: t('share_status') },
          ]}
        />
      )}
      {sharing.links.length > 0 && <LinkList booking={booking} sharing={sharing} />}
    </Dialog>
  )
}
