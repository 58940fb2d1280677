import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { NavLink, useLocation } from 'react-router-dom'
import { formatFullName } from '~/domain/accounts/userAccounts'
import { signOut } from '~/src/features/auth/account'
import { useAppDispatch } from '~/src/store/hooks'
import { Avatar } from '~/src/ui/Avatar'
import { Icon } from '~/src/ui/Icon'
import { OfficeIcon } from '~/src/ui/table/OfficeIcon'
import { confirmLeave } from '~/src/ui/navigation/unsavedChanges'
import { useMuted } from '../officeSound'
import {
  getAccountRoutes,
  getMenuItems,
  MENU_ENTRIES,
  MENU_GROUP_DISPLAY,
  type MenuPath,
} from './menu'
import css from './layout.module.css'
import type { User } from '~/domain/accounts/types'

const MenuIcon = ({ icon, officeIcon }: (typeof MENU_ENTRIES)[MenuPath]) =>
  officeIcon ? <OfficeIcon name={officeIcon} /> : <Icon name={icon} />

const MenuLink = ({ route }: { route: MenuPath }) => {
  const { t } = useTranslation()
  const display = MENU_ENTRIES[route]
  return (
    <li>
      <NavLink to={route} end={route === '/'} className={css.entry} title={t(display.label)}>
        <MenuIcon {...display} />
        <span>{t(display.label)}</span>
      </NavLink>
    </li>
  )
}

/** Shows the links of a group below its heading, which opens and closes it. */
const MenuGroup = ({
  id,
  routes,
  heading,
  isNarrow,
  children,
}: {
  id: string
  routes: MenuPath[]
  heading: ReactNode
  isNarrow: boolean
  /** Entries below the links. */
  children?: ReactNode
}) => {
  const { pathname } = useLocation()
  const inside = routes.includes(pathname as MenuPath)
  const [isToggledOpen, setIsToggledOpen] = useState<boolean | null>(null)
  const open = isToggledOpen ?? inside
  const entries = (
    <>
      {routes.map((route) => (
        <MenuLink key={route} route={route} />
      ))}
      {children}
    </>
  )
  // The narrow menu has no room for headings, so it shows only the entries.
  if (isNarrow) return entries
  return (
    <li>
      <button
        type="button"
        className={css.entry}
        aria-expanded={open}
        aria-controls={`menu-${id}`}
        onClick={() => setIsToggledOpen(!open)}
      >
        {heading}
        <span className={css.turn} data-open={open || undefined}>
          <OfficeIcon name="chevron" size={16} />
        </span>
      </button>
      {open && (
        <ul role="list" id={`menu-${id}`} className={css.group}>
          {entries}
        </ul>
      )}
    </li>
  )
}

/** Shows what belongs to the person and not to the company, below their name. */
const Account = ({ profile, isNarrow }: { profile: User; isNarrow: boolean }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const [isMuted, toggleMuted] = useMuted()
  return (
    <MenuGroup
      id="account"
      routes={getAccountRoutes(profile.usertype)}
      isNarrow={isNarrow}
      heading={
        <>
          <i className={css.me}>
            <Avatar name={formatFullName(profile)} photo={profile.profile_image} />
          </i>
          <span className="typed">{formatFullName(profile)}</span>
        </>
      }
    >
      <li>
        <button
          type="button"
          className={css.entry}
          title={t('office_sounds')}
          aria-pressed={!isMuted}
          onClick={toggleMuted}
        >
          <Icon name={isMuted ? 'mute' : 'sound'} />
          <span>{t('office_sounds')}</span>
        </button>
      </li>
      <li>
        <button
          type="button"
          className={css.entry}
          title={t('logout')}
          onClick={() => confirmLeave(() => void dispatch(signOut()))}
        >
          <Icon name="out" />
          <span>{t('logout')}</span>
        </button>
      </li>
    </MenuGroup>
  )
}

/** Shows a person's links in order, and at the lower edge what is their own. */
export const SideMenu = ({ profile, narrow: isNarrow }: { profile: User; narrow: boolean }) => {
  const { t } = useTranslation()
  return (
    <nav aria-label={t('menu')} className={css.menu} data-narrow={isNarrow || undefined}>
      <ul role="list">
        {getMenuItems(profile.usertype).map((item) =>
          'group' in item ? (
            <MenuGroup
              key={item.group}
              id={item.group}
              routes={item.routes}
              isNarrow={isNarrow}
              heading={
                <>
                  <MenuIcon {...MENU_GROUP_DISPLAY[item.group]} />
                  <span>{t(MENU_GROUP_DISPLAY[item.group].label)}</span>
                </>
              }
            />
          ) : (
            <MenuLink key={item.route} route={item.route} />
          ),
        )}
      </ul>
      <ul role="list">
        <Account profile={profile} isNarrow={isNarrow} />
      </ul>
    </nav>
  )
}
