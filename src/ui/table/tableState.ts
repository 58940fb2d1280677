import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'
import { hasWords } from '~/domain/booking/search/bookingSearch'
import { readPreference, savePreference } from '~/src/ui/preferences'
import { allowNavigation } from '~/src/ui/navigation/unsavedChanges'
import type { Column, TableState } from './tableProps'

const CURSOR_PARAM = 'before'

/** The allowed page sizes; the URL cannot request more rows. */
export const PAGE_SIZES = [10, 25, 50, 100]

const readNumberParam = (params: URLSearchParams, name: string) =>
  Math.trunc(Number(params.get(name)))

/**
 * Returns the table's page, size, search and order, which are in the URL so that a view can be
 * linked.
 */
export const useTableState = (
  defaults: Partial<TableState> = {},
): [TableState, (changes: Partial<TableState>) => void] => {
  const [params, setParams] = useSearchParams()
  const { page = 0, size = 10, search = '', sort = null, descending = false } = defaults
  const state = useMemo<TableState>(
    () => ({
      page: Math.max(0, (readNumberParam(params, 'page') || page + 1) - 1),
      size: PAGE_SIZES.find((one) => one === readNumberParam(params, 'size')) ?? size,
      search: params.get('q') ?? search,
      sort: params.get('sort') ?? sort,
      descending: params.has('desc') ? params.get('desc') === '1' : descending,
    }),
    [params, page, size, search, sort, descending],
  )
  const change = useCallback(
    (changes: Partial<TableState>) =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before)
          const put = (key: string, value: string | null) =>
            value === null || value === '' ? after.delete(key) : after.set(key, value)
          // A new search or order starts at the first page.
          if (!('page' in changes)) after.delete('page')
          if ('search' in changes || 'sort' in changes) after.delete(CURSOR_PARAM)
          if (changes.page !== undefined)
            put('page', changes.page > 0 ? String(changes.page + 1) : null)
          if (changes.size !== undefined) put('size', String(changes.size))
          if (changes.search !== undefined) put('q', changes.search)
          if (changes.sort !== undefined) put('sort', changes.sort)
          if (changes.descending !== undefined) put('desc', changes.descending ? '1' : '0')
          return after
        },
        // Typing in the search adds no history entries; pages, sizes and orders do, so that Back
        // undoes them.
        { replace: changes.search !== undefined },
      ),
    [setParams],
  )
  return [state, change]
}

/** Returns one page of the searched and sorted `rows`. */
export const getPage = <Row>(
  rows: Row[],
  columns: Column<Row>[],
  { page, size, search, sort, descending }: TableState,
  searchText?: (row: Row) => string,
): { rows: Row[]; total: number; page: number } => {
  const matchingRows =
    search.trim() && searchText ? rows.filter((row) => hasWords(searchText(row), search)) : rows
  const by = columns.find((column) => column.id === sort)?.sortValue
  const sorted = by
    ? [...matchingRows].sort((a, b) => {
        const [x, y] = [by(a), by(b)]
        const order =
          typeof x === 'number' && typeof y === 'number'
            ? x - y
            : String(x).localeCompare(String(y))
        return descending ? -order : order
      })
    : matchingRows
  const last = Math.max(0, Math.ceil(sorted.length / size) - 1)
  const shownPage = Math.min(page, last)
  return {
    rows: sorted.slice(shownPage * size, shownPage * size + size),
    total: sorted.length,
    page: shownPage,
  }
}

const getColumnsKey = (id: string) => `kerbside.columns.${id}`

const loadHiddenColumns = (id: string | undefined): string[] | null => {
  try {
    const storedColumns: unknown = id
      ? JSON.parse(readPreference(getColumnsKey(id)) ?? 'null')
      : null
    return Array.isArray(storedColumns)
      ? storedColumns.filter((one) => typeof one === 'string')
      : null
  } catch {
    return null
  }
}

/** Returns the columns of a named table that the user hides; `atFirst` until they choose. */
export const useHiddenColumns = (
  id: string | undefined,
  atFirst: readonly string[],
): [ReadonlySet<string>, (hidden: string[]) => void] => {
  const [hiddenColumns, setHiddenColumns] = useState(() => loadHiddenColumns(id))
  const change = useCallback(
    (next: string[]) => {
      if (id) savePreference(getColumnsKey(id), JSON.stringify(next))
      setHiddenColumns(next)
    },
    [id],
  )
  return [new Set(hiddenColumns ?? atFirst), change]
}

type Cursors = (string | undefined)[]

const getCursorsKey = (path: string) => `kerbside.cursors.${path}`

const loadCursors = (path: string): Cursors => {
  try {
    const storedCursors: unknown = JSON.parse(sessionStorage.getItem(getCursorsKey(path)) ?? 'null')
    if (!Array.isArray(storedCursors)) return [undefined]
    return storedCursors.map((one) => (typeof one === 'string' ? one : undefined))
  } catch {
    return [undefined]
  }
}

const saveCursors = (path: string, cursors: Cursors) => {
  try {
    sessionStorage.setItem(getCursorsKey(path), JSON.stringify(cursors))
  } catch {
    // Without storage, the pages are remembered until a reload.
  }
}

/**
 * Returns the state for paging by cursor. The URL names the last row of the page before, so it can
 * be linked; previous pages are remembered while the tab is open, also after a reload.
 */
export const useCursor = () => {
  const { pathname } = useLocation()
  const [params, setParams] = useSearchParams()
  const before = params.get(CURSOR_PARAM) ?? undefined
  // The visited pages in order; Back and Forward also move between them.
  const [previousCursors, setPreviousCursors] = useState(() => loadCursors(pathname))
  const at = previousCursors.indexOf(before)
  const go = useCallback(
    (to: string | undefined) =>
      setParams((now) => {
        const after = new URLSearchParams(now)
        if (to) after.set(CURSOR_PARAM, to)
        else after.delete(CURSOR_PARAM)
        return after
      }),
    [setParams],
  )
  return {
    before,
    hasPrevious: before !== undefined,
    onNext: (last: string | undefined) => {
      if (!last) return
      const cursors: Cursors = [
        ...(at < 0 ? [undefined, before] : previousCursors.slice(0, at + 1)),
        last,
      ]
      saveCursors(pathname, cursors)
      setPreviousCursors(cursors)
      go(last)
    },
    onPrevious: () => go(at > 0 ? previousCursors[at - 1] : undefined),
  }
}

/**
 * Returns one URL parameter, such as a grouping; null when absent. Changing it can remove other
 * parameters.
 */
export const useQueryParam = (
  name: string,
  ...drops: string[]
): [string | null, (value: string | null) => void] => {
  const [params, setParams] = useSearchParams()
  const change = (value: string | null) =>
    setParams(
      (now) => {
        const after = new URLSearchParams(now)
        for (const dropped of drops) after.delete(dropped)
        if (value === null) after.delete(name)
        else after.set(name, value)
        return after
      },
      { replace: false },
    )
  return [params.get(name), change]
}

/**
 * Returns the overlay that is open over a page (a record or a dialog), by its name in the URL. It
 * can be linked and survives a reload. Back closes it, and closing it goes back in the history;
 * `close` with values writes them to the URL instead.
 */
export const useOverlayParam = (
  name: string,
): {
  opened: string | null
  open: (value: string) => void
  /** Returns the address of the page with that record, for a link that works in a new tab. */
  linkTo: (value: string) => string
  close: (params?: Record<string, string>) => void
} => {
  const [params, setParams] = useSearchParams()
  const { pathname, state, key } = useLocation() as {
    pathname: string
    state: { over?: string } | null
    key: string
  }
  const navigate = useNavigate()
  const opened = params.get(name)
  // A repeated key press would close twice, and the second step back would leave the page.
  const isClosing = useRef(false)
  useEffect(() => {
    isClosing.current = false
  }, [key])
  const open = (value: string) =>
    setParams(
      (now) => {
        const after = new URLSearchParams(now)
        after.set(name, value)
        return after
      },
      // Another record in the same overlay adds no history entry.
      { replace: opened !== null, state: opened === null ? { over: name } : state },
    )
  const close = (params?: Record<string, string>) => {
    // An action may end after the user has gone on, and must not take them back.
    const { pathname: path, search } = window.location
    const isStillOpen = path === pathname && new URLSearchParams(search).get(name) === opened
    if (isClosing.current || !isStillOpen) return
    isClosing.current = true
    if (state?.over === name && !params) {
      allowNavigation()
      void navigate(-1)
      return
    }
    setParams(
      (now) => {
        const after = new URLSearchParams(now)
        after.delete(name)
        for (const [left, value] of Object.entries(params ?? {})) after.set(left, value)
        return after
      },
      { replace: true },
    )
  }
  const linkTo = (value: string) => `?${new URLSearchParams({ [name]: value }).toString()}`
  return { opened, open, linkTo, close }
}

const DENSITY_KEY = 'kerbside.density'

/** Returns whether rows are dense, in every table of this browser. */
export const useIsDense = (): [boolean, (dense: boolean) => void] => {
  const [dense, setDense] = useState(() => readPreference(DENSITY_KEY) !== 'roomy')
  const change = useCallback((next: boolean) => {
    savePreference(DENSITY_KEY, next ? 'dense' : 'roomy')
    setDense(next)
  }, [])
  return [dense, change]
}
