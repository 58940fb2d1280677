import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import type { User, UserType } from '~/domain/entities'
import { type DriverForm, driverForm } from '~/domain/forms/people'
import { at } from '~/domain/paths'
import { fullName } from '~/domain/people'
import { showsBankFields } from '~/domain/permissions'
import { carTypes } from '~/src/features/carTypes/carTypes'
import { addUser, deleteUser, editUser, people, user as liveUser } from '~/src/features/users/users'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { Button, TextInput } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format'
import { Ago } from '~/src/ui/office/Ago'
import { EditPanel } from '~/src/ui/office/EditPage'
import { Section, SelectField, SwitchField, TextField } from '~/src/ui/office/fields'
import { Panel } from '~/src/ui/office/Panel'
import { EmptyState, ErrorState, SkeletonLines } from '~/src/ui/states'
import { leaving } from '~/src/ui/unsaved'
import { AuditTrail } from '../audit/AuditTrail'
import { contactShown } from '../contacts'
import { useOffice } from '../useOffice'
import css from './people.module.css'

// One form for all: what a kind of user does not have is neither shown nor sent.
const personForm = v.object({ ...driverForm.entries, fleetadmin: v.optional(v.string()) })
type PersonForm = DriverForm & { fleetadmin?: string | undefined }
/** Mobile and e-mail are set only when somebody is added. */
const editForm = v.object({
  ...v.omit(personForm, ['mobile', 'email']).entries,
  mobile: v.string(),
  email: v.string(),
})
const VEHICLE = ['vehicleMake', 'vehicleModel', 'vehicleNumber', 'other_info', 'carType'] as const
const BANK = ['bankName', 'bankCode', 'bankAccount'] as const

/** More of a wallet's entries at once than somebody reads. */
const ENTRIES = 50

const Wallet = ({ person }: { person: User }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const [limit, setLimit] = useState(ENTRIES)
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
          {entries.slice(0, limit).map(([key, { type, amount, date, txRef }]) => (
            <li key={key}>
              <span>
                {t(`wallet_${type}`)} <small>{txRef}</small>
              </span>
              <Ago at={date} />
              <strong data-minus={type !== 'Credit' || undefined}>
                {format.money(type === 'Credit' ? amount : -amount)}
              </strong>
            </li>
          ))}
        </ul>
      )}
      {entries.length > limit && (
        <div>
          <Button size="small" onClick={() => setLimit(limit + ENTRIES)}>
            {t('more')}
          </Button>
        </div>
      )}
    </>
  )
}

const Documents = ({ person }: { person: User }) => {
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
const PARTS = { wallet: Wallet, documents: Documents }
type PersonPart = keyof typeof PARTS
const isPart = (value: string | null): value is PersonPart => value !== null && value in PARTS

interface Option {
  value: string
  label: string
}

const Form = ({
  usertype,
  person,
  onPart,
  onAdded,
  onClose,
}: {
  usertype: UserType
  person: User | null
  onPart: (part: PersonPart) => void
  onAdded: (id: string) => void
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const dispatch = useAppDispatch()
  const { profile, isAdmin, settings, allowed, say } = useOffice()
  const { cars } = useLive(carTypes)
  const isDriver = usertype === 'driver'
  const { listed: fleetAdmins } = useLive(people, {
    usertype: 'fleetadmin',
    size: isDriver && isAdmin ? 200 : 0,
  })
  // What a driver has can be changed and not taken away: none is offered only where there is none.
  const chosenFrom = (now: string | undefined, options: Option[]): Option[] =>
    options.some(({ value }) => value === now)
      ? options
      : [{ value: now ?? '', label: now || t('none') }, ...options]
  const isSelf = person?.id === profile?.id
  // The class he is paid by, and whether he drives at all, are the office's to say.
  const privileged = isAdmin && !isSelf
  const initial: PersonForm = {
    firstName: person?.firstName ?? '',
    lastName: person?.lastName ?? '',
    mobile: person?.mobile ?? '',
    email: person?.email ?? '',
    approved: person?.approved ?? true,
    ...Object.fromEntries([...VEHICLE, ...BANK].map((field) => [field, person?.[field] ?? ''])),
    fleetadmin: person?.fleetadmin ?? '',
  }
  const added = useRef<string | null>(null)
  const hasWallet = usertype === 'driver' || usertype === 'rider'
  const save = async (values: PersonForm) => {
    const { firstName, lastName, mobile, email, approved, fleetadmin } = values
    const vehicle = isDriver
      ? Object.fromEntries(
          [...VEHICLE, ...(settings && showsBankFields(settings) ? BANK : [])]
            .filter((field) => values[field] !== undefined)
            .filter((field) => field !== 'carType' || (values.carType && (privileged || !person)))
            .map((field) => [field, values[field]]),
        )
      : {}
    const shared = {
      firstName,
      lastName,
      ...vehicle,
      ...(isDriver && isAdmin && fleetadmin && { fleetadmin }),
    }
    if (person)
      await dispatch(
        editUser({
          id: person.id,
          changes: { ...shared, ...(privileged && { approved }) },
          quiet: true,
        }),
      ).unwrap()
    else
      added.current = await dispatch(
        addUser({
          ...shared,
          usertype,
          mobile,
          email,
          ...(isAdmin && { approved }),
          quiet: true,
        }),
      ).unwrap()
    say('saved')
  }
  const remove = async () => {
    if (!person) return
    await dispatch(deleteUser(person.id)).unwrap()
    say('person_deleted')
  }
  return (
    <EditPanel<PersonForm>
      wide
      title={person ? fullName(person) || person.id : t(`add_${TITLE_KEY[usertype]}`)}
      schema={(person ? editForm : personForm) as never}
      initial={initial}
      onSave={save}
      onClose={() => (added.current ? onAdded(added.current) : onClose())}
      {...(person &&
        isAdmin &&
        !isSelf && {
          onRemove: async () => {
            if (allowed('user_delete')) await remove()
            else throw new Error('demo mode')
          },
        })}
    >
      {(field) => (
        <>
          <Section title={t('person')}>
            <TextField label={t('firstName')} {...field('firstName')} />
            <TextField label={t('lastName')} {...field('lastName')} />
            {person ? (
              <>
                <TextInput
                  label={t('mobile')}
                  value={contactShown(person.mobile, settings, t)}
                  readOnly
                />
                <TextInput
                  label={t('email')}
                  value={contactShown(person.email, settings, t)}
                  readOnly
                />
              </>
            ) : (
              <>
                <TextField label={t('mobile')} type="tel" {...field('mobile')} />
                <TextField label={t('email')} type="email" {...field('email')} />
              </>
            )}
            {isAdmin && (
              <SwitchField label={t('approved')} disabled={isSelf} {...field('approved')} />
            )}
          </Section>
          {isDriver && (
            <Section title={t('vehicle')}>
              <SelectField
                label={t('car_type')}
                disabled={Boolean(person) && !privileged}
                options={chosenFrom(
                  person?.carType,
                  cars.map(({ id, name }) => ({ value: id, label: name })),
                )}
                {...field('carType')}
              />
              <TextField label={t('vehicle_make')} {...field('vehicleMake')} />
              <TextField label={t('vehicle_model')} {...field('vehicleModel')} />
              <TextField label={t('vehicle_no')} {...field('vehicleNumber')} />
              <TextField label={t('other_info')} multiline {...field('other_info')} />
              {isAdmin && (
                <SelectField
                  label={t('fleetadmin')}
                  options={chosenFrom(
                    person?.fleetadmin,
                    fleetAdmins.map((one) => ({ value: one.id, label: fullName(one) })),
                  )}
                  {...field('fleetadmin')}
                />
              )}
            </Section>
          )}
          {isDriver && settings && showsBankFields(settings) && (
            <Section title={t('bank')}>
              <TextField label={t('bank_name')} {...field('bankName')} />
              <TextField label={t('bank_code')} {...field('bankCode')} />
              <TextField label={t('bank_account')} {...field('bankAccount')} />
            </Section>
          )}
          {person && hasWallet && (
            <Section title={t('wallet')}>
              <TextInput
                label={t('wallet_balance')}
                value={format.money(person.walletBalance ?? 0)}
                readOnly
              />
              <TextInput label={t('referral_id')} value={person.referralId ?? ''} readOnly />
              <Button onClick={() => leaving(() => onPart('wallet'))}>{t('wallet_history')}</Button>
              <Button onClick={() => leaving(() => onPart('documents'))}>{t('documents')}</Button>
            </Section>
          )}
          {person && isAdmin && (
            <Section title={t('audit_of_record')}>
              <div className={css.wide}>
                <AuditTrail path={at.user(person.id)} />
              </div>
            </Section>
          )}
        </>
      )}
    </EditPanel>
  )
}
const TITLE_KEY: Record<UserType, string> = {
  rider: 'rider',
  driver: 'driver',
  fleetadmin: 'fleet_admin',
  admin: 'admin',
}

/** Somebody new, somebody known, his wallet or his documents, beside the list. */
export const PersonPanel = ({
  usertype,
  id,
  part,
  onPart,
  onAdded,
  onClose,
}: {
  usertype: UserType
  id: string | null
  part: string | null
  onPart: (part: PersonPart) => void
  onAdded: (id: string) => void
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const { user, loading, error, retry } = useLive(liveUser, id ?? '')
  const on = { onPart, onAdded, onClose }
  if (id === null) return <Form usertype={usertype} person={null} {...on} />
  if (!user || user.usertype !== usertype)
    return (
      <Panel wide title={t('person')} onClose={onClose}>
        {error.flag ? (
          <ErrorState onRetry={retry}>{t(error.msg ?? '')}</ErrorState>
        ) : loading ? (
          <SkeletonLines />
        ) : (
          <EmptyState title={t('not_found')} />
        )}
      </Panel>
    )
  const person = { ...user, id }
  if (!isPart(part)) return <Form usertype={usertype} person={person} {...on} />
  const Part = PARTS[part]
  return (
    <Panel title={t('part_of', { part: t(part), name: fullName(person) || id })} onClose={onClose}>
      <Part person={person} />
    </Panel>
  )
}
