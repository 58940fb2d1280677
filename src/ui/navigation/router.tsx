import {
  type AnchorHTMLAttributes,
  createContext,
  type MouseEvent,
  type ReactNode,
  use,
  useLayoutEffect,
  useSyncExternalStore,
} from 'react'

// Three public pages need no router; the full router arrives with the first page that has a pattern
// or a guard. Code that both share, mainly links, navigates through this module.

interface NavigateOptions {
  /** Stored with the history entry, in the format of react-router. */
  state?: unknown
  replace?: boolean
}
type Navigate = (to: string, going?: NavigateOptions) => void
type FullRouter = (...args: Parameters<Navigate>) => void | Promise<void>

let fullRouter: FullRouter | null = null
const listeners = new Set<() => void>()
const notifyListeners = () => {
  for (const listener of listeners) listener()
}

/** Navigates to a path of this site. */
export const navigate: Navigate = (to, going = {}) => {
  if (fullRouter) return void fullRouter(to, going)
  window.history[going.replace ? 'replaceState' : 'pushState']({ usr: going.state }, '', to)
  notifyListeners()
}

/**
 * Registers a full router, which then handles navigation while it is mounted; `path` is its current
 * path.
 */
export const useRegisteredRouter = (navigate: FullRouter, path: string) => {
  useLayoutEffect(() => {
    fullRouter = navigate
    return () => {
      fullRouter = null
    }
  }, [navigate])
  useLayoutEffect(notifyListeners, [path])
}

type PopStateHandler = (event: PopStateEvent) => void
const popStateHandlers: PopStateHandler[] = []
/**
 * Registers a handler that receives history steps before any router and may stop them; returns a
 * function that removes it.
 */
export const onBeforePopState = (handler: PopStateHandler): (() => void) => {
  popStateHandlers.push(handler)
  return () => void popStateHandlers.splice(popStateHandlers.indexOf(handler), 1)
}
// Registered at load time: on the window, browsers call listeners in the order of registration,
// regardless of phase.
if (typeof window !== 'undefined')
  window.addEventListener('popstate', (event) => popStateHandlers.at(-1)?.(event), true)

const PrerenderedPathContext = createContext('/')
/** Provides the path of a page prerendered at build time, where no address bar exists. */
export const PrerenderedPath = ({ path, children }: { path: string; children: ReactNode }) => (
  <PrerenderedPathContext value={path}>{children}</PrerenderedPathContext>
)

const subscribe = (onChange: () => void) => {
  listeners.add(onChange)
  window.addEventListener('popstate', onChange)
  return () => {
    listeners.delete(onChange)
    window.removeEventListener('popstate', onChange)
  }
}
const getPath = () => window.location.pathname

/** Returns the current path in the address bar. */
export const usePath = (): string => {
  const built = use(PrerenderedPathContext)
  return useSyncExternalStore(subscribe, getPath, () =>
    typeof window === 'undefined' ? built : getPath(),
  )
}

const readNavigationState = () => (window.history.state as { usr?: unknown } | null)?.usr ?? null

/** Returns the state that `navigate` stored with the current page; null for most pages. */
export const useNavigationState = (): unknown =>
  useSyncExternalStore(subscribe, readNavigationState, () => null)

const isPlainClick = (event: MouseEvent<HTMLAnchorElement>) =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { to: string; state?: unknown }

/** Renders a link within the site. */
export const Link = ({ to, state, onClick, ...rest }: LinkProps) => (
  <a
    {...rest}
    href={to}
    onClick={(event) => {
      onClick?.(event)
      if (event.defaultPrevented || !isPlainClick(event) || rest.target) return
      event.preventDefault()
      const { pathname, search } = window.location
      navigate(to, { state, replace: to === pathname + search })
    }}
  />
)

/**
 * Renders a link that is marked when its page is the current one. `end` excludes the pages below
 * it.
 */
export const NavLink = ({ end, ...link }: LinkProps & { end?: boolean }) => {
  const path = usePath()
  const isHere = path === link.to || (!end && path.startsWith(`${link.to}/`))
  return <Link {...link} aria-current={isHere ? 'page' : undefined} />
}
