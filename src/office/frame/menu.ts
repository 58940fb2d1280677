import { type MenuEntry, menuFor } from '~/domain/permissions'
import type { UserType } from '~/domain/entities'
import type { IconName } from '~/src/ui/Icon'
import type { OfficeIconName } from '~/src/ui/office/OfficeIcon'

type Group = NonNullable<MenuEntry['group']>
type Look =
  | { label: string; icon: IconName; own?: never }
  | { label: string; own: OfficeIconName; icon?: never }

/** Name and picture of every entry of the menu. */
export const LOOKS: Record<MenuEntry['route'], Look> = {
  '/': { label: 'menu_home', icon: 'home' },
  '/dashboard': { label: 'menu_dashboard', own: 'dashboard' },
  '/bookings': { label: 'menu_bookings', own: 'list' },
  '/addbookings': { label: 'menu_add_booking', icon: 'plus' },
  '/riders': { label: 'menu_riders', icon: 'person' },
  '/drivers': { label: 'menu_drivers', own: 'wheel' },
  '/fleetadmins': { label: 'menu_fleet_admins', own: 'fleet' },
  '/alladmin': { label: 'menu_admins', icon: 'shield' },
  '/cartypes': { label: 'menu_car_types', icon: 'car' },
  '/cancelreasons': { label: 'menu_cancel_reasons', own: 'reason' },
  '/earningreports': { label: 'menu_earning_reports', own: 'chart' },
  '/driverearning': { label: 'menu_driver_earning', own: 'coins' },
  '/addtowallet': { label: 'menu_add_to_wallet', own: 'credit' },
  '/withdraws': { label: 'menu_withdraws', own: 'withdraw' },
  '/payments': { label: 'menu_payments', own: 'payment' },
  '/promos': { label: 'menu_promos', own: 'tag' },
  '/notifications': { label: 'menu_notifications', icon: 'bell' },
  '/appinfo': { label: 'menu_app_info', own: 'info' },
  '/settings': { label: 'menu_settings', own: 'gear' },
  '/languagesetting': { label: 'menu_languages', icon: 'globe' },
  '/audit': { label: 'menu_audit', own: 'audit' },
  '/profile': { label: 'menu_profile', icon: 'person' },
}
export const GROUPS: Record<Group, Look> = {
  users: { label: 'menu_users', own: 'people' },
  wallet: { label: 'menu_wallet', icon: 'wallet' },
  settings: { label: 'menu_settings_group', own: 'gear' },
}

export type MenuItem =
  { route: MenuEntry['route'] } | { group: Group; routes: MenuEntry['route'][] }

/** A user type's menu; a group stands where its first entry does, and one of a single entry is only that. */
export const menuOf = (usertype: UserType): MenuItem[] => {
  const entries = menuFor(usertype)
  const items: MenuItem[] = []
  for (const { route, group } of entries) {
    if (!group) items.push({ route })
    else if (!items.some((item) => 'group' in item && item.group === group))
      items.push({ group, routes: entries.filter((e) => e.group === group).map((e) => e.route) })
  }
  return items.map((item) =>
    'group' in item && item.routes.length === 1 ? { route: item.routes[0]! } : item,
  )
}

/** The way to a page, outermost first, as translation keys. */
export const crumbsOf = (pathname: string, usertype: UserType): string[] => {
  const entry = menuFor(usertype).find(
    ({ route }) => route !== '/' && (pathname === route || pathname.startsWith(`${route}/`)),
  )
  if (!entry) return []
  return [...(entry.group ? [GROUPS[entry.group].label] : []), LOOKS[entry.route].label]
}
