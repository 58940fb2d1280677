import { Icon, type IconName } from '../Icon'
import { NavLink } from './router'
import css from './TabBar.module.css'

export interface TabBarItem {
  to: string
  label: string
  icon: IconName
  /** A number at the icon, with its meaning in words. */
  badge?: { count: string; meaning: string } | undefined
}

/** Renders the navigation of an area at the lower edge, within reach of a thumb. */
export const TabBar = ({ label, items }: { label: string; items: readonly TabBarItem[] }) => (
  <nav className={css.bar} aria-label={label}>
    {items.map(({ to, icon, badge, ...item }) => (
      <NavLink key={to} to={to}>
        <Icon name={icon} size={24} />
        <span>{item.label}</span>
        {badge && (
          <b className={css.badge}>
            {badge.count}
            <span className="visually-hidden"> {badge.meaning}</span>
          </b>
        )}
      </NavLink>
    ))}
  </nav>
)
