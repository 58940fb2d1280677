import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { User, UserType } from '~/domain/entities'
import { refusal } from '~/domain/errors'
import { fullName } from '~/domain/people'
import { carTypes } from '~/src/features/carTypes/carTypes'
import { fetchPeopleToExport } from '~/src/features/users/export'
import {
  editUser,
  type Listed,
  nameIn,
  people as livePeople,
  peopleLike,
  user as liveUser,
  users as liveUsers,
} from '~/src/features/users/users'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { Button, IconButton, StatusChip } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format'
import { Icon } from '~/src/ui/Icon'
import { Ago } from '~/src/ui/office/Ago'
import { BulkDialog, useBulk } from '~/src/ui/office/BulkDialog'
import type { Column } from '~/src/ui/office/DataTable'
import { ListPage } from '~/src/ui/office/ListPage'
import { useOptimistic } from '~/src/ui/office/optimistic'
import pages from '~/src/ui/office/pages.module.css'
import { useAddress, useCursor, useOpened, useTableState } from '~/src/ui/office/tableState'
import { contactShown } from '../contacts'
import { useOffice } from '../useOffice'
import css from './people.module.css'
import { PersonPanel } from './PersonPanel'

const TITLES: Record<UserType, { title: string; add: string }> = {
  rider: { title: 'menu_riders', add: 'add_rider' },
  driver: { title: 'menu_drivers', add: 'add_driver' },
  fleetadmin: { title: 'menu_fleet_admins', add: 'add_fleet_admin' },
  admin: { title: 'menu_admins', add: 'add_admin' },
}
/** A part of a name is looked for among so many of the newest, its beginning among all. */
const SEARCHED = 200
/** A fleet admin's question has no pages: he gets so many of the newest, and more when he asks. */
const FLEET_WINDOW = 25
const PAGE = 25

const DEEDS = ['approve', 'suspend'] as const
/** What is looked at beside somebody's form. */
const PARTS = [
  { name: 'wallet', icon: 'wallet' },
  { name: 'documents', icon: 'note' },
] as const

/** Who somebody is, and once it has been read what his record says. */
type Person = Listed & Partial<User>

/** What an indexed question can find: the beginning of a number or of an address. */
const contactIn = (search: string): { by: 'mobile' | 'email'; text: string } => {
  const text = search.trim()
  if (/^\+?\d{3,}$/.test(text))
    return { by: 'mobile', text: text.startsWith('+') ? text : `+${text}` }
  return { by: 'email', text: text.includes('@') ? text : '' }
}

const personText = (person: Person) =>
  `${fullName(person)} ${person.mobile} ${person.email} ${person.vehicleNumber ?? ''} ${person.referralId ?? ''}`

const known = new WeakMap<User, { person: Listed; row: Person }>()
/** Made once for the two, so that who did not change is not drawn again. */
const withRecord = (person: Listed, record: User | undefined): Person => {
  if (!record) return person
  const made = known.get(record)
  if (made?.person === person) return made.row
  const row = { ...person, ...record }
  known.set(record, { person, row })
  return row
}

const words = (text: string) => text.toLocaleLowerCase().split(/\s+/).filter(Boolean)

const usePeople = (usertype: UserType, isAdmin: boolean) => {
  const [{ page, size, search }] = useTableState({ size: PAGE })
  const cursor = useCursor()
  const contact = contactIn(search)
  const searching = search.trim() !== ''
  const paged = isAdmin && !searching
  const [fleetSize, setFleetSize] = useState(FLEET_WINDOW)
  const unpaged = isAdmin ? SEARCHED : fleetSize
  const { listed, ...look } = useLive(livePeople, {
    usertype,
    size: paged ? size + 1 : unpaged,
    ...(paged && { before: cursor.before }),
  })
  const text = nameIn(search)
  const { found: byContact } = useLive(peopleLike, contact)
  const { found: byFirst } = useLive(peopleLike, { by: 'firstName', text })
  const { found: byLast } = useLive(peopleLike, { by: 'lastName', text })
  const onMore =
    !isAdmin && listed.length >= fleetSize
      ? () => setFleetSize(Math.min(1000, fleetSize * 3))
      : undefined
  const people = useMemo(() => {
    if (paged) return listed
    const once = new Map([...listed, ...byContact, ...byFirst, ...byLast].map((p) => [p.id, p]))
    return [...once.values()].filter((person) => person.usertype === usertype)
  }, [listed, byContact, byFirst, byLast, paged, usertype])
  const byKey = [...listed].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, size)
  const matching = people.filter((person) => {
    const text = personText(person).toLocaleLowerCase()
    return words(search).every((word) => text.includes(word))
  })
  // A search is read about a page at a time; where there are no pages, everybody is.
  const read = paged ? byKey : isAdmin ? matching.slice(page * size, (page + 1) * size) : people
  const { users } = useLive(liveUsers, {
    ids: read.map(({ id }) => id),
    drivers: usertype === 'driver',
  })
  const rows = useMemo(() => {
    const records = new Map(users.map((user) => [user.id, user]))
    return people.map((person) => withRecord(person, records.get(person.id)))
  }, [people, users])
  return {
    rows: paged ? rows.filter(({ id }) => byKey.some((person) => person.id === id)) : rows,
    ...look,
    onMore,
    remote: paged
      ? {
          hasNext: listed.length > size,
          hasPrevious: cursor.hasPrevious,
          onNext: () => cursor.onNext(byKey.at(-1)?.id),
          onPrevious: cursor.onPrevious,
        }
      : undefined,
  }
}

const PeoplePage = ({ usertype }: { usertype: UserType }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const dispatch = useAppDispatch()
  const { profile, isAdmin, settings, allowed, may, say } = useOffice()
  const { cars } = useLive(carTypes)
  // 'new', a uid, or 'uid~part' for his wallet or his documents.
  const { opened, open, close } = useOpened('edit')
  const { rows: read, remote, onMore, ...look } = usePeople(usertype, isAdmin)
  const [hoped, hoping] = useOptimistic(read)
  const [added] = useAddress('new')
  const { user: fresh } = useLive(liveUser, added ?? '')
  // Somebody just added is seen at once, wherever his place in the list is.
  const rows = useMemo(
    (): Person[] =>
      added && fresh?.usertype === usertype
        ? [{ ...fresh, id: added }, ...hoped.filter(({ id }) => id !== added)]
        : hoped,
    [added, fresh, usertype, hoped],
  )
  const { title, add } = TITLES[usertype]
  const isDriver = usertype === 'driver'
  const hasWallet = isDriver || usertype === 'rider'

  const columns = useMemo((): Column<Person>[] => {
    const text = (
      id: string,
      heading: string,
      value: (person: Person) => string | undefined,
      main = false,
    ): Column<Person> => ({
      id,
      title: heading,
      cell: value,
      sort: (p) => value(p) ?? '',
      main,
    })
    const contact = (field: 'mobile' | 'email'): Column<Person> => ({
      id: field,
      title: t(field),
      cell: (p) => <bdi>{contactShown(p[field], settings, t)}</bdi>,
      sort: (p) => contactShown(p[field], settings, t),
      main: true,
    })
    return [
      {
        ...text('firstName', t('firstName'), (p) => p.firstName || '—', true),
        cell: (p) => (
          <>
            {p.firstName || '—'}
            {p.id === added && <StatusChip tone="news">{t('just_added')}</StatusChip>}
          </>
        ),
      },
      text('lastName', t('lastName'), (p) => p.lastName, true),
      contact('mobile'),
      contact('email'),
      {
        id: 'approved',
        title: t('approved'),
        cell: (p) =>
          p.approved === undefined ? null : (
            <StatusChip tone={p.approved ? 'success' : 'warning'}>
              {t(p.approved ? 'approved_yes' : 'approved_no')}
            </StatusChip>
          ),
        sort: (p) => (p.approved ? 1 : 0),
        text: (p) => (p.approved ? t('yes') : t('no')),
        main: true,
      },
      ...(isDriver
        ? [
            {
              id: 'duty',
              title: t('on_duty'),
              cell: (p: Person) =>
                p.approved === undefined ? null : (
                  <StatusChip
                    tone={p.driverActiveStatus ? (p.queue ? 'primary' : 'success') : 'muted'}
                  >
                    {t(
                      p.driverActiveStatus
                        ? p.queue
                          ? 'driver_is_busy'
                          : 'driver_is_free'
                        : 'driver_is_off',
                    )}
                  </StatusChip>
                ),
              text: (p: Person) => (p.driverActiveStatus ? t('yes') : t('no')),
              main: true,
            },
            text('carType', t('car_type'), (p) => cars.find(({ id }) => id === p.carType)?.name),
            text('vehicle', t('vehicle'), (p) =>
              [p.vehicleMake, p.vehicleModel].filter(Boolean).join(' '),
            ),
            text('vehicleNumber', t('vehicle_no'), (p) => p.vehicleNumber),
            {
              id: 'rating',
              title: t('rating'),
              cell: (p: Person) => (p.ratings?.userrating ? `★ ${p.ratings.userrating}` : null),
              sort: (p: Person) => p.ratings?.userrating ?? 0,
            },
          ]
        : []),
      ...(hasWallet
        ? [
            {
              id: 'walletBalance',
              title: t('wallet_balance'),
              align: 'end' as const,
              cell: (p: Person) =>
                p.walletBalance === undefined ? null : format.money(p.walletBalance),
              sort: (p: Person) => p.walletBalance ?? 0,
            },
            text('referralId', t('referral_id'), (p) => p.referralId),
          ]
        : []),
      {
        id: 'createdAt',
        title: t('created_at'),
        cell: (p: Person) =>
          p.createdAt ? <Ago at={Date.parse(p.createdAt)} only="date" /> : null,
        sort: (p: Person) => p.createdAt ?? '',
      },
    ]
  }, [t, format, settings, cars, isDriver, hasWallet, added])

  const approving = (person: Person, approved: boolean, quiet: boolean) =>
    hoping(person.id, { approved }, () =>
      dispatch(editUser({ id: person.id, changes: { approved }, quiet })).unwrap(),
    )
  const approve = (person: Person) => {
    if (!allowed('user_approve')) return
    approving(person, !person.approved, false).then(
      () =>
        say(person.approved ? 'person_suspended' : 'person_approved', { name: fullName(person) }),
      // The refusal is a notice already.
      () => undefined,
    )
  }
  const { selected, onSelected, ask, bulk, end } = useBulk(rows, DEEDS)
  const [edited = null, part = null] = opened?.split('~') ?? []
  const isKnown = rows.some(({ id }) => id === edited)
  const parts = hasWallet ? PARTS : []

  return (
    <ListPage
      id={`people-${usertype}`}
      title={t(title)}
      look={look}
      add={{ label: t(add), onAdd: () => open('new') }}
      empty={t('no_users_available')}
      rows={rows}
      columns={columns}
      defaults={{ size: PAGE }}
      search={personText}
      onOpen={(p) => open(p.id)}
      {...(remote && { remote })}
      {...((isAdmin || parts.length > 0) && {
        actions: (p: Person) => (
          <span className={css.actions}>
            {parts.map(({ name, icon }) => (
              <IconButton
                key={name}
                label={t('part_of', { part: t(name), name: fullName(p) })}
                onClick={() => open(`${p.id}~${name}`)}
              >
                <Icon name={icon} />
              </IconButton>
            ))}
            {isAdmin && p.id !== profile?.id && p.approved !== undefined && (
              <Button size="small" onClick={() => approve(p)}>
                {t(p.approved ? 'suspend' : 'approve')}
              </Button>
            )}
          </span>
        ),
      })}
      {...(isAdmin && {
        selection: {
          selected,
          onSelected,
          name: fullName,
          bar: DEEDS.map((deed) => (
            <Button key={deed} size="small" onClick={() => allowed('user_approve') && ask(deed)}>
              {t(`bulk_${deed}`)}
            </Button>
          )),
        },
      })}
      {...(may('table_export') && {
        exportAs: {
          name: `${usertype}s`,
          rows: (onProgress) => dispatch(fetchPeopleToExport({ usertype, onProgress })).unwrap(),
        },
      })}
    >
      {onMore && (
        <div className={pages.foot}>
          <Button onClick={onMore}>{t('load_older')}</Button>
        </div>
      )}
      {edited && (edited === 'new' || isKnown || !look.loading) && (
        <PersonPanel
          key={opened}
          usertype={usertype}
          id={edited === 'new' ? null : edited}
          part={part}
          onPart={(next) => open(`${edited}~${next}`)}
          onAdded={(id) => close({ new: id })}
          onClose={() => close()}
        />
      )}
      {bulk && (
        <BulkDialog
          title={t(`bulk_${bulk.kind}`)}
          rows={bulk.rows}
          describe={(p) => ({ name: fullName(p), note: contactShown(p.mobile, settings, t) })}
          act={async (p) => {
            // Nobody shuts himself out.
            if (p.id === profile?.id) throw refusal('not_allowed')
            const approved = bulk.kind === 'approve'
            if (p.approved !== approved) await approving(p, approved, true)
          }}
          done={t(bulk.kind === 'approve' ? 'approved_yes' : 'approved_no')}
          onClose={end}
        />
      )}
    </ListPage>
  )
}

export const RidersPage = () => <PeoplePage key="rider" usertype="rider" />
export const DriversPage = () => <PeoplePage key="driver" usertype="driver" />
export const FleetAdminsPage = () => <PeoplePage key="fleetadmin" usertype="fleetadmin" />
export const AdminsPage = () => <PeoplePage key="admin" usertype="admin" />
