import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { domainError } from '~/domain/api/errors'
import type { ImportKind } from '~/domain/imports/columns'
import { formatFullName } from '~/domain/accounts/userAccounts'
import { useVehicleTypeNameById } from '~/src/features/vehicleTypes/useVehicleTypeName'
import { fetchPeopleToExport } from '~/src/features/users/usersExport'
import { usePerson } from '~/src/features/users/person'
import { editUser } from '~/src/features/users/users'
import { useAppDispatch } from '~/src/store/hooks'
import { Button } from '~/src/ui/controls'
import { BulkDialog, useBulkSelection } from '~/src/office/recordPages/BulkDialog'
import { ListPage } from '~/src/office/recordPages/ListPage'
import { useOptimisticRows } from '~/src/ui/table/optimisticRows'
import { useQueryParam, useOverlayParam } from '~/src/ui/table/tableState'
import { formatContact } from '../contactFormat'
import { FleetRowsFoot } from '../fleetRows'
import { ImportButton } from '../imports/ImportButton'
import { useOfficeSession } from '../useOfficeSession'
import { PersonPanel } from './PersonPanel'
import { createPeopleColumns, hasWallet } from './peopleColumns'
import { PAGE_SIZE, type PersonRow, toSearchText, usePeople } from './usePeople'
import type { UserType } from '~/domain/access/types'

const TITLES: Record<UserType, { title: string; add: string }> = {
  rider: { title: 'menu_riders', add: 'add_rider' },
  driver: { title: 'menu_drivers', add: 'add_driver' },
  fleetadmin: { title: 'menu_fleet_admins', add: 'add_fleet_admin' },
  admin: { title: 'menu_admins', add: 'add_admin' },
}
/** The user types that can be imported. */
const IMPORT_KINDS: Partial<Record<UserType, ImportKind>> = { rider: 'riders', driver: 'drivers' }
const BULK_ACTIONS = ['approve', 'suspend'] as const
/** The views that open next to a person's form. */
const PERSON_PARTS = ['wallet', 'documents'] as const
type PersonPart = (typeof PERSON_PARTS)[number]

/** Returns the people of a type; a newly added person appears at once, at the top. */
const usePeopleRows = (usertype: UserType) => {
  const { isAdmin } = useOfficeSession()
  const { rows: read, ...query } = usePeople(usertype, isAdmin)
  const [shownPeople, showAtOnce] = useOptimisticRows(read)
  const [added] = useQueryParam('new')
  const { user: fresh } = usePerson(added ?? '')
  const rows = useMemo(
    (): PersonRow[] =>
      added && fresh?.usertype === usertype
        ? [{ ...fresh, id: added }, ...shownPeople.filter(({ id }) => id !== added)]
        : shownPeople,
    [added, fresh, usertype, shownPeople],
  )
  return { rows, added, showAtOnce, ...query }
}

/** Returns what approves and suspends people; the change shows at once. */
const useApproval = (showAtOnce: ReturnType<typeof usePeopleRows>['showAtOnce']) => {
  const dispatch = useAppDispatch()
  const { canOrNotify, notify } = useOfficeSession()
  const change = (person: PersonRow, approved: boolean, isQuiet: boolean) =>
    showAtOnce(person.id, { approved }, () =>
      dispatch(
        (isQuiet ? editUser.quiet : editUser)({ id: person.id, changes: { approved } }),
      ).unwrap(),
    )
  const toggle = (person: PersonRow) => {
    if (!canOrNotify('user_approve')) return
    change(person, !person.approved, false).then(
      () =>
        notify(person.approved ? 'person_suspended' : 'person_approved', {
          name: formatFullName(person),
        }),
      // The refusal is already shown as a notice.
      () => undefined,
    )
  }
  return { change, toggle }
}

/** Returns what the menu of a person offers, and whether their account waits for an approval. */
const useRowActions = ({
  parts,
  onPart,
  onApprove,
}: {
  parts: readonly PersonPart[]
  onPart: (person: PersonRow, part: PersonPart) => void
  onApprove: (person: PersonRow) => void
}) => {
  const { t } = useTranslation()
  const { profile, isAdmin } = useOfficeSession()
  const isJudged = (person: PersonRow) =>
    isAdmin && person.id !== profile?.id && person.approved !== undefined
  return {
    renderApproval: (person: PersonRow) =>
      isJudged(person) &&
      !person.approved && (
        <Button size="small" onClick={() => onApprove(person)}>
          {t('approve')}
        </Button>
      ),
    getMenu: (person: PersonRow) => ({
      name: formatFullName(person),
      actions: [
        ...parts.map((part) => ({ label: t(part), onAct: () => onPart(person, part) })),
        ...(isJudged(person) && person.approved
          ? [{ label: t('suspend'), isDangerous: true, onAct: () => onApprove(person) }]
          : []),
      ],
    }),
  }
}

/** Returns the selection of rows with its buttons, and the dialog of the chosen one. */
const useBulkApproval = (rows: PersonRow[], change: ReturnType<typeof useApproval>['change']) => {
  const { t } = useTranslation()
  const { profile, settings, canOrNotify } = useOfficeSession()
  const { selected, onSelected, ask, bulk, end } = useBulkSelection(rows, BULK_ACTIONS)
  const selection = {
    selected,
    onSelected,
    name: formatFullName,
    bar: BULK_ACTIONS.map((action) => (
      <Button key={action} size="small" onClick={() => canOrNotify('user_approve') && ask(action)}>
        {t(`bulk_${action}`)}
      </Button>
    )),
  }
  const approved = bulk?.kind === 'approve'
  const dialog = bulk && (
    <BulkDialog
      title={t(`bulk_${bulk.kind}`)}
      rows={bulk.rows}
      describe={(p) => ({
        name: formatFullName(p),
        note: formatContact(p.mobile, settings, t),
      })}
      act={async (p) => {
        // Admins cannot lock themselves out.
        if (p.id === profile?.id) throw domainError('not_allowed')
        if (p.approved !== approved) await change(p, approved, true)
      }}
      doneText={t(approved ? 'approved_yes' : 'approved_no')}
      onClose={end}
    />
  )
  return { selection, dialog }
}

const PeoplePage = ({ usertype }: { usertype: UserType }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { isAdmin, settings, can } = useOfficeSession()
  const getTypeName = useVehicleTypeNameById()
  // Contains 'new', a uid, or 'uid~part' for the wallet or the documents.
  const { opened, open, linkTo, close } = useOverlayParam('edit')
  const people = usePeopleRows(usertype)
  const { rows, added, showAtOnce, remote, onOlder, onNewer, ...listQuery } = people
  const { title, add } = TITLES[usertype]
  const importKind = IMPORT_KINDS[usertype]
  const { columns, exported } = useMemo(
    () => createPeopleColumns({ usertype, t, settings, getTypeName, added }),
    [usertype, t, settings, getTypeName, added],
  )
  const { change, toggle } = useApproval(showAtOnce)
  const { selection, dialog } = useBulkApproval(rows, change)
  const [edited = null, part = null] = opened?.split('~') ?? []
  const isKnown = rows.some(({ id }) => id === edited)
  const parts = hasWallet(usertype) ? PERSON_PARTS : []
  const { renderApproval, getMenu } = useRowActions({
    parts,
    onPart: (person, name) => open(`${person.id}~${name}`),
    onApprove: toggle,
  })
  return (
    <ListPage
      id={`people-${usertype}`}
      title={t(title)}
      query={listQuery}
      add={{ label: t(add), onAdd: () => open('new') }}
      headActions={importKind && <ImportButton kind={importKind} />}
      empty={t('no_users_available')}
      rows={rows}
      columns={columns}
      defaults={{ size: PAGE_SIZE }}
      toSearchText={toSearchText}
      linkTo={(p) => linkTo(p.id)}
      onOpen={(p) => open(p.id)}
      openedId={part ? null : edited}
      isPartial={onOlder !== undefined}
      {...(remote && { cursorPaging: remote })}
      {...(isAdmin && { actions: renderApproval })}
      {...((isAdmin || parts.length > 0) && { menu: getMenu })}
      {...(isAdmin && { selection })}
      {...(can('table_export') && {
        exportAs: {
          name: `${usertype}s`,
          columns: exported,
          rows: (onProgress) => dispatch(fetchPeopleToExport({ usertype, onProgress })).unwrap(),
        },
      })}
    >
      <FleetRowsFoot onNewer={onNewer} onOlder={onOlder} />
      {edited && (edited === 'new' || isKnown || !listQuery.loading) && (
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
      {dialog}
    </ListPage>
  )
}

/** @public office/pages.ts loads this page and the next three on demand. */
export const RidersPage = () => <PeoplePage key="rider" usertype="rider" />
/** @public */
export const DriversPage = () => <PeoplePage key="driver" usertype="driver" />
/** @public */
export const FleetAdminsPage = () => <PeoplePage key="fleetadmin" usertype="fleetadmin" />
/** @public */
export const AdminsPage = () => <PeoplePage key="admin" usertype="admin" />
