import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { NavLink, useLocation } from 'react-router-dom'
import type { MenuEntry } from '~/domain/permissions'
import type { UserType } from '~/domain/entities'
import { signOut } from '~/src/features/auth/operations'
import { useAppDispatch } from '~/src/store/hooks'
import { Icon } from '~/src/ui/Icon'
import { OfficeIcon } from '~/src/ui/office/OfficeIcon'
import { leaving } from '~/src/ui/unsaved'
import { GROUPS, LOOKS, menuOf } from './menu'
import css from './frame.module.css'

const Picture = ({ icon, own }: (typeof LOOKS)[MenuEntry['route']]) =>
  own ? <OfficeIcon name={own} /> : <Icon name={icon} />

const Entry = ({ route }: { route: MenuEntry['route'] }) => {
  const { t } = useTranslation()
  const look = LOOKS[route]
  return (
    <li>
      <NavLink to={route} end={route === '/'} className={css.entry} title={t(look.label)}>
        <Picture {...look} />
        <span>{t(look.label)}</span>
      </NavLink>
    </li>
  )
}

const Group = ({
  group,
  routes,
  narrow,
}: {
  group: keyof typeof GROUPS
  routes: MenuEntry['route'][]
  narrow: boolean
}) => {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const inside = routes.includes(pathname as MenuEntry['route'])
  const [chosen, setOpen] = useState<boolean | null>(null)
  const open = chosen ?? inside
  const look = GROUPS[group]
  // The narrow menu has no room for headings: its entries stand alone.
  if (narrow) return routes.map((route) => <Entry key={route} route={route} />)
  return (
    <li>
      <button
        type="button"
        className={css.entry}
        aria-expanded={open}
        aria-controls={`menu-${group}`}
        onClick={() => setOpen(!open)}
      >
        <Picture {...look} />
        <span>{t(look.label)}</span>
        <span className={css.turn} data-open={open || undefined}>
          <OfficeIcon name="chevron" size={16} />
        </span>
      </button>
      {open && (
        <ul role="list" id={`menu-${group}`} className={css.group}>
          {routes.map((route) => (
            <Entry key={route} route={route} />
          ))}
        </ul>
      )}
    </li>
  )
}

/** The links of a user type in their order, and the way out. */
export const SideMenu = ({ usertype, narrow }: { usertype: UserType; narrow: boolean }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  return (
    <nav aria-label={t('menu')} className={css.menu} data-narrow={narrow || undefined}>
      <ul role="list">
        {menuOf(usertype).map((item) =>
          'group' in item ? (
            <Group key={item.group} {...item} narrow={narrow} />
          ) : (
            <Entry key={item.route} route={item.route} />
          ),
        )}
        <li>
          <button
            type="button"
            className={css.entry}
            title={t('logout')}
            onClick={() => leaving(() => void dispatch(signOut()))}
          >
            <Icon name="out" />
            <span>{t('logout')}</span>
          </button>
        </li>
      </ul>
    </nav>
  )
}
