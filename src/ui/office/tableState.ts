import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'
import { agreeToStep } from '../unsaved'
import type { Column } from './DataTable'

export interface TableState {
  /** From 0. */
  page: number
  size: number
  search: string
  sort: string | null
  descending: boolean
}

/** How many rows a page may have: no address asks for more. */
export const SIZES = [10, 25, 50, 100]
const numberIn = (params: URLSearchParams, name: string) => Math.trunc(Number(params.get(name)))

/** The table's page, size, search and order, kept in the address so that a view can be linked. */
export const useTableState = (
  defaults: Partial<TableState> = {},
): [TableState, (changes: Partial<TableState>) => void] => {
  const [params, setParams] = useSearchParams()
  const { page = 0, size = 10, search = '', sort = null, descending = false } = defaults
  const state = useMemo<TableState>(
    () => ({
      page: Math.max(0, (numberIn(params, 'page') || page + 1) - 1),
      size: SIZES.find((one) => one === numberIn(params, 'size')) ?? size,
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
          // Another search or order starts on its first page.
          if (!('page' in changes)) after.delete('page')
          if (changes.page !== undefined)
            put('page', changes.page > 0 ? String(changes.page + 1) : null)
          if (changes.size !== undefined) put('size', String(changes.size))
          if (changes.search !== undefined) put('q', changes.search)
          if (changes.sort !== undefined) put('sort', changes.sort)
          if (changes.descending !== undefined) put('desc', changes.descending ? '1' : '0')
          return after
        },
        { replace: true },
      ),
    [setParams],
  )
  return [state, change]
}

/** What of `rows` is to be seen: searched, sorted, one page of it. */
export const pageOf = <Row>(
  rows: Row[],
  columns: Column<Row>[],
  { page, size, search, sort, descending }: TableState,
  searchText?: (row: Row) => string,
): { rows: Row[]; total: number; page: number } => {
  const words = search.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  const found =
    words.length > 0 && searchText
      ? rows.filter((row) => {
          const text = searchText(row).toLocaleLowerCase()
          return words.every((word) => text.includes(word))
        })
      : rows
  const by = columns.find((column) => column.id === sort)?.sort
  const sorted = by
    ? [...found].sort((a, b) => {
        const [x, y] = [by(a), by(b)]
        const order =
          typeof x === 'number' && typeof y === 'number'
            ? x - y
            : String(x).localeCompare(String(y))
        return descending ? -order : order
      })
    : found
  const last = Math.max(0, Math.ceil(sorted.length / size) - 1)
  const shown = Math.min(page, last)
  return {
    rows: sorted.slice(shown * size, shown * size + size),
    total: sorted.length,
    page: shown,
  }
}

const columnsKey = (id: string) => `kerbside.columns.${id}`
const hiddenColumns = (id: string | undefined): string[] => {
  try {
    const kept: unknown = id ? JSON.parse(localStorage.getItem(columnsKey(id)) ?? '[]') : []
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}

/** The columns of a named table that this person does not want to see. */
export const useHiddenColumns = (
  id: string | undefined,
): [ReadonlySet<string>, (hidden: string[]) => void] => {
  const [hidden, setHidden] = useState(() => hiddenColumns(id))
  const change = useCallback(
    (next: string[]) => {
      if (id) localStorage.setItem(columnsKey(id), JSON.stringify(next))
      setHidden(next)
    },
    [id],
  )
  return [useMemo(() => new Set(hidden), [hidden]), change]
}

/**
 * Paging by keys: the address says before which row the page begins, so it can be linked; the way back is
 * remembered as long as the page is open.
 */
export const useCursor = () => {
  const [params, setParams] = useSearchParams()
  const before = params.get('before') ?? undefined
  const [way, setWay] = useState<(string | undefined)[]>([])
  const go = useCallback(
    (to: string | undefined) =>
      setParams(
        (now) => {
          const after = new URLSearchParams(now)
          if (to) after.set('before', to)
          else after.delete('before')
          return after
        },
        { replace: true },
      ),
    [setParams],
  )
  return {
    before,
    hasPrevious: before !== undefined,
    onNext: (last: string | undefined) => {
      if (!last) return
      setWay([...way, before])
      go(last)
    },
    onPrevious: () => {
      setWay(way.slice(0, -1))
      go(way.at(-1))
    },
  }
}

/** One value of the address, such as a grouping; null when it is not there. Changing it may drop others. */
export const useAddress = (
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
 * What stands open over a page, a record or a dialog, by its name in the address: it can be linked and survives a
 * reload. The way back closes it, and closing it is the way back; `close` with values leaves them in the address instead.
 */
export const useOpened = (
  name: string,
): {
  opened: string | null
  open: (value: string) => void
  close: (leaving?: Record<string, string>) => void
} => {
  const [params, setParams] = useSearchParams()
  const { state, key } = useLocation() as { state: { over?: string } | null; key: string }
  const navigate = useNavigate()
  const opened = params.get(name)
  // Closed twice, by a key pressed twice, it would also leave the page.
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
      // Another record in the same place is no further step.
      { replace: opened !== null, state: opened === null ? { over: name } : state },
    )
  const close = (leaving?: Record<string, string>) => {
    if (isClosing.current) return
    isClosing.current = true
    if (state?.over === name && !leaving) {
      agreeToStep()
      void navigate(-1)
      return
    }
    setParams(
      (now) => {
        const after = new URLSearchParams(now)
        after.delete(name)
        for (const [left, value] of Object.entries(leaving ?? {})) after.set(left, value)
        return after
      },
      { replace: true },
    )
  }
  return { opened, open, close }
}

const DENSITY = 'kerbside.density'
/** Whether rows stand close together, in every table of this browser. */
export const useDense = (): [boolean, (dense: boolean) => void] => {
  const [dense, setDense] = useState(() => localStorage.getItem(DENSITY) !== 'roomy')
  const change = useCallback((next: boolean) => {
    localStorage.setItem(DENSITY, next ? 'dense' : 'roomy')
    setDense(next)
  }, [])
  return [dense, change]
}
