import {
  type AnchorHTMLAttributes,
  createContext,
  type MouseEvent,
  type ReactNode,
  use,
  useLayoutEffect,
  useSyncExternalStore,
} from 'react'

// Three public paths need no router: the full one arrives with the first page that has a pattern or a guard. What
// both sides share, links above all, goes through here.

interface Going {
  /** Kept with the entry of the history, as react-router keeps it. */
  state?: unknown
  replace?: boolean
}
type Go = (to: string, going?: Going) => void

let fullRouter: Go | null = null
const listeners = new Set<() => void>()
const tell = () => {
  for (const listener of listeners) listener()
}

/** Goes to a path of this site. */
export const go: Go = (to, going = {}) => {
  if (fullRouter) return fullRouter(to, going)
  window.history[going.replace ? 'replaceState' : 'pushState']({ usr: going.state }, '', to)
  tell()
}

/** While a full router is on the page, it is the one that goes; `path` is where it stands. */
export const useFullRouter = (navigate: Go, path: string) => {
  useLayoutEffect(() => {
    fullRouter = navigate
    return () => {
      fullRouter = null
    }
  }, [navigate])
  useLayoutEffect(tell, [path])
}

type Step = (event: PopStateEvent) => void
const steps: Step[] = []
/** Hears of a step through the history before every router does, and may stop it; answers the way to hear no more. */
export const beforeSteps = (hear: Step): (() => void) => {
  steps.push(hear)
  return () => void steps.splice(steps.indexOf(hear), 1)
}
// Now, and not when somebody asks: at the window browsers call listeners in their order, whatever phase they are for.
if (typeof window !== 'undefined')
  window.addEventListener('popstate', (event) => steps.at(-1)?.(event), true)

const Built = createContext('/')
/** The path of a page that is made at build time, where there is no address bar. */
export const BuiltAt = ({ path, children }: { path: string; children: ReactNode }) => (
  <Built value={path}>{children}</Built>
)

const subscribe = (onChange: () => void) => {
  listeners.add(onChange)
  window.addEventListener('popstate', onChange)
  return () => {
    listeners.delete(onChange)
    window.removeEventListener('popstate', onChange)
  }
}
const pathNow = () => window.location.pathname

/** The path in the address bar, always the present one. */
export const usePath = (): string => {
  const built = use(Built)
  return useSyncExternalStore(subscribe, pathNow, () =>
    typeof window === 'undefined' ? built : pathNow(),
  )
}

const isPlainClick = (event: MouseEvent<HTMLAnchorElement>) =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { to: string; state?: unknown }

/** A link within the site. */
export const Link = ({ to, state, onClick, ...rest }: LinkProps) => (
  <a
    {...rest}
    href={to}
    onClick={(event) => {
      onClick?.(event)
      if (event.defaultPrevented || !isPlainClick(event) || rest.target) return
      event.preventDefault()
      const { pathname, search } = window.location
      go(to, { state, replace: to === pathname + search })
    }}
  />
)

/** A link that says whether its page is the one that is shown. `end`: not also the pages below it. */
export const NavLink = ({ end, ...link }: LinkProps & { end?: boolean }) => {
  const path = usePath()
  const isHere = path === link.to || (!end && path.startsWith(`${link.to}/`))
  return <Link {...link} aria-current={isHere ? 'page' : undefined} />
}
