import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { BOOKING_ENTRY_KEY, toSignedAmount } from '~/domain/money/wallet'
import { translateReason } from '~/src/i18n/reasonTexts'
import { getEntryLabelKey, useWalletTexts } from '~/src/features/wallet/walletEntries'
import { BookingReference } from '~/src/features/bookings/BookingReference'
import { screenPaths } from '~/src/store/screenPaths'
import { Button } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format/format'
import { EmptyState } from '~/src/ui/feedback/states'
import { RelativeTime } from '~/src/ui/table/RelativeTime'
import { DriverParts } from '../offers/DriverParts'
import css from './people.module.css'
import type { User } from '~/domain/accounts/types'
import type { WalletEntry } from '~/domain/money/types'

/** Wallet entries per page, more than a person reads at once. */
const PAGE_SIZE = 50

const WalletEntryRow = ({ id, entry }: { id: string; entry: WalletEntry }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { type, date, txRef, note, reason } = entry
  return (
    <li>
      <span>
        {t(getEntryLabelKey(id, entry))}{' '}
        <small>
          {BOOKING_ENTRY_KEY.test(id) ? (
            <Link to={screenPaths.booking(txRef)}>
              <BookingReference id={txRef} />
            </Link>
          ) : (
            txRef
          )}
        </small>
        {reason && <small className={css.note}>{translateReason(reason, t)}</small>}
        {note && <small className={css.note}>{note}</small>}
      </span>
      <RelativeTime at={date} />
      <strong data-minus={type !== 'Credit' || undefined}>
        {format.money(toSignedAmount(entry))}
      </strong>
    </li>
  )
}

const WalletPanel = ({ person }: { person: User }) => {
  useWalletTexts()
  const { t } = useTranslation()
  const format = useFormat()
  const [limit, setLimit] = useState(PAGE_SIZE)
  const entries = Object.entries(person.walletHistory ?? {}).sort(([, a], [, b]) => b.date - a.date)
  return (
    <>
      <p className={css.balance}>
        {t('wallet_balance')} <strong>{format.money(person.walletBalance ?? 0)}</strong>
      </p>
      {entries.length === 0 ? (
        <EmptyState title={t('no_rows')} />
      ) : (
        <ul role="list" className={css.history} aria-label={t('wallet')}>
          {entries.slice(0, limit).map(([key, entry]) => (
            <WalletEntryRow key={key} id={key} entry={entry} />
          ))}
        </ul>
      )}
      {entries.length > limit && (
        <div>
          <Button size="small" onClick={() => setLimit(limit + PAGE_SIZE)}>
            {t('more')}
          </Button>
        </div>
      )}
    </>
  )
}

const DocumentsPanel = ({ person }: { person: User }) => {
  const { t } = useTranslation()
  const pictures = [
    { url: person.profile_image, name: t('profile_image') },
    { url: person.licenseImage, name: t('license_image') },
  ].filter(({ url }) => url)
  if (pictures.length === 0) return <EmptyState title={t('no_documents')} />
  return (
    <div className={css.pictures}>
      {pictures.map(({ url, name }) => (
        <a key={name} href={url} target="_blank" rel="noreferrer" className={css.picture}>
          <img src={url} alt={name} />
          <span>{name}</span>
        </a>
      ))}
    </div>
  )
}
const ReasonsPanel = ({ person }: { person: User & { id: string } }) => {
  const { t } = useTranslation()
  return (
    <>
      <p>{t('reasons_hint')}</p>
      <DriverParts key={person.id} driver={person.id} />
    </>
  )
}

/** The panels that a person has beside their record. */
export const PERSON_PARTS = {
  wallet: WalletPanel,
  documents: DocumentsPanel,
  reasons: ReasonsPanel,
}
export type PersonPart = keyof typeof PERSON_PARTS

export const isPersonPart = (value: string | null): value is PersonPart =>
  value !== null && value in PERSON_PARTS
