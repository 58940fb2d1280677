import { mayOpenPage, type PagePath } from '~/domain/access/permissions'
import type { IconName } from '~/src/ui/Icon'
import type { OfficeIconName } from '~/src/ui/table/OfficeIcon'
import type { UserType } from '~/domain/access/types'

export type MenuPath =
  '/' | PagePath | '/recurring' | '/board' | '/payments' | '/messages' | '/audit'
type Group = 'users' | 'wallet' | 'settings' | 'account'
type MenuDisplay =
  | { label: string; icon: IconName; officeIcon?: never }
  | { label: string; officeIcon: OfficeIconName; icon?: never }

/**
 * The entries of the side menu in order, each with its name and icon: the work of the day, then the
 * groups. A group appears at the place of its first entry.
 */
export const MENU_ENTRIES: Readonly<Record<MenuPath, MenuDisplay & { group?: Group }>> = {
  '/board': { label: 'menu_board', icon: 'compass' },
  '/dashboard': { label: 'menu_dashboard', officeIcon: 'dashboard' },
  '/bookings': { label: 'menu_bookings', officeIcon: 'list' },
  '/addbookings': { label: 'menu_add_booking', icon: 'plus' },
  '/recurring': { label: 'menu_recurring', icon: 'clock' },
  '/riders': { label: 'menu_riders', icon: 'person', group: 'users' },
  '/drivers': { label: 'menu_drivers', officeIcon: 'wheel', group: 'users' },
  '/fleetadmins': { label: 'menu_fleet_admins', officeIcon: 'fleet', group: 'users' },
  '/alladmin': { label: 'menu_admins', icon: 'shield', group: 'users' },
  '/earningreports': { label: 'menu_earning_reports', officeIcon: 'chart', group: 'wallet' },
  '/driverearning': { label: 'menu_driver_earning', officeIcon: 'coins', group: 'wallet' },
  '/addtowallet': { label: 'menu_add_to_wallet', officeIcon: 'credit', group: 'wallet' },
  '/withdraws': { label: 'menu_withdraws', officeIcon: 'withdraw', group: 'wallet' },
  '/payments': { label: 'menu_payments', officeIcon: 'payment', group: 'wallet' },
  '/promos': { label: 'menu_promos', officeIcon: 'tag', group: 'wallet' },
  '/appinfo': { label: 'menu_app_info', officeIcon: 'info', group: 'settings' },
  '/settings': { label: 'menu_settings', officeIcon: 'gear', group: 'settings' },
  '/languagesetting': { label: 'menu_languages', icon: 'globe', group: 'settings' },
  '/cartypes': { label: 'menu_car_types', icon: 'car', group: 'settings' },
  '/cancelreasons': { label: 'menu_cancel_reasons', officeIcon: 'reason', group: 'settings' },
  '/messages': { label: 'menu_messages', icon: 'chat', group: 'settings' },
  '/notifications': { label: 'menu_notifications', icon: 'bell', group: 'settings' },
  '/audit': { label: 'menu_audit', officeIcon: 'audit', group: 'settings' },
  '/': { label: 'menu_website', icon: 'home', group: 'account' },
  '/profile': { label: 'menu_profile', icon: 'person', group: 'account' },
}
/** The groups of the side menu. The person's own group has their name. */
export const MENU_GROUP_DISPLAY: Record<Exclude<Group, 'account'>, MenuDisplay> = {
  users: { label: 'menu_users', officeIcon: 'people' },
  wallet: { label: 'menu_money', icon: 'wallet' },
  settings: { label: 'menu_settings_group', officeIcon: 'gear' },
}

/** Returns the paths of a user type's side menu, in order. */
export const getMenu = (usertype: UserType): MenuPath[] =>
  (Object.keys(MENU_ENTRIES) as MenuPath[]).filter((path) => mayOpenPage(path, usertype))

export type MenuGroupName = keyof typeof MENU_GROUP_DISPLAY
export type MenuItem = { route: MenuPath } | { group: MenuGroupName; routes: MenuPath[] }

/**
 * Returns a user type's menu without the person's own group. A group takes the position of its
 * first entry; a group with a single entry becomes that entry.
 */
export const getMenuItems = (usertype: UserType): MenuItem[] => {
  const paths = getMenu(usertype)
  const items: MenuItem[] = []
  for (const path of paths) {
    const { group } = MENU_ENTRIES[path]
    if (group === 'account') continue
    if (!group) items.push({ route: path })
    else if (!items.some((item) => 'group' in item && item.group === group))
      items.push({ group, routes: paths.filter((other) => MENU_ENTRIES[other].group === group) })
  }
  return items.map((item) =>
    'group' in item && item.routes.length === 1 ? { route: item.routes[0]! } : item,
  )
}

/** Returns the paths of the person's own group. */
export const getAccountRoutes = (usertype: UserType): MenuPath[] =>
  getMenu(usertype).filter((path) => MENU_ENTRIES[path].group === 'account')

/** Returns the breadcrumbs of a page, outermost first, as translation keys. */
export const getBreadcrumbs = (pathname: string, usertype: UserType): string[] => {
  const path = getMenu(usertype).find(
    (entry) => entry !== '/' && (pathname === entry || pathname.startsWith(`${entry}/`)),
  )
  if (!path) return []
  const { group, label } = MENU_ENTRIES[path]
  return [...(group && group !== 'account' ? [MENU_GROUP_DISPLAY[group].label] : []), label]
}
