import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { NavLink, useLocation } from 'react-router-dom'
import { signOut } from '~/src/features/auth/account'
import { useAppDispatch } from '~/src/store/hooks'
import { Icon } from '~/src/ui/Icon'
import { OfficeIcon } from '~/src/ui/table/OfficeIcon'
import { confirmLeave } from '~/src/ui/navigation/unsavedChanges'
import { useMuted } from '../officeSound'
import { getMenuItems, MENU_ENTRIES, MENU_GROUP_DISPLAY, type MenuPath } from './menu'
import css from './layout.module.css'
import type { UserType } from '~/domain/access/types'

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

const MenuGroup = ({
  group,
  routes,
  narrow,
}: {
  group: keyof typeof MENU_GROUP_DISPLAY
  routes: MenuPath[]
  narrow: boolean
}) => {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const inside = routes.includes(pathname as MenuPath)
  const [isToggledOpen, setIsToggledOpen] = useState<boolean | null>(null)
  const open = isToggledOpen ?? inside
  const display = MENU_GROUP_DISPLAY[group]
  // The narrow menu has no room for headings, so it shows only the links.
  if (narrow) return routes.map((route) => <MenuLink key={route} route={route} />)
  return (
    <li>
      <button
        type="button"
        className={css.entry}
        aria-expanded={open}
        aria-controls={`menu-${group}`}
        onClick={() => setIsToggledOpen(!open)}
      >
        <MenuIcon {...display} />
        <span>{t(display.label)}</span>
        <span className={css.turn} data-open={open || undefined}>
          <OfficeIcon name="chevron" size={16} />
        </span>
      </button>
      {open && (
        <ul role="list" id={`menu-${group}`} className={css.group}>
          {routes.map((route) => (
            <MenuLink key={route} route={route} />
          ))}
        </ul>
      )}
    </li>
  )
}

/** Shows a user type's links in order, and the logout button. */
export const SideMenu = ({
  usertype,
  narrow: isNarrow,
}: {
  usertype: UserType
  narrow: boolean
}) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const [isMuted, toggleMuted] = useMuted()
  return (
    <nav aria-label={t('menu')} className={css.menu} data-narrow={isNarrow || undefined}>
      <ul role="list">
        {getMenuItems(usertype).map((item) =>
          'group' in item ? (
            <MenuGroup key={item.group} {...item} narrow={isNarrow} />
          ) : (
            <MenuLink key={item.route} route={item.route} />
          ),
        )}
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
      </ul>
    </nav>
  )
}
