import type { ReactNode } from 'react'

/** The definition of a column. */
export interface Column<Row> {
  /** The column's name in the URL and in saved views. */
  id: string
  /** The translated title. */
  title: string
  cell: (row: Row) => ReactNode
  /** The second line of the cell, which no link of the row contains. */
  beneath?: (row: Row) => ReactNode
  /** The value to sort by; when absent, the column cannot be sorted. */
  sortValue?: (row: Row) => string | number
  align?: 'end'
  /** True for a column that a table shows only to people who choose it; exports have all. */
  isExtra?: true
  /** True for short values that are read as one, such as a status. Numbers never wrap. */
  isOneLine?: true
  /** The least width, such as 9rem, of a column whose texts wrap. */
  minWidth?: string
  /** True for long texts such as addresses: a row shows two lines, and the rest as a tooltip. */
  isLong?: true
  /** True for the column that takes the width that the others leave, and cuts its own lines. */
  isFlexible?: true
  /** True for long words, such as e-mail addresses, that may be broken anywhere. */
  breaksWords?: true
  /** The value to export; when absent, the sort value, or nothing. */
  exportValue?: (row: Row) => string | number
  /** The time (ms) to export instead, in the platform's time zone; undefined for none. */
  exportTime?: (row: Row) => number | undefined
  /** The text to export instead, when it has the names of people whom the row has only by ID. */
  exportNamed?: {
    getIds: (row: Row) => string[]
    getText: (row: Row, names: ReadonlyMap<string, string>) => string
  }
  /** The unit of the exported values, such as km or UYU, which the export adds to the title. */
  unit?: string | undefined
  /** True for the columns of a card's headline on a phone; without one, it has the first two. */
  isName?: true
  /** True shows the column on a phone's card; the others are behind "More". */
  isOnCard?: boolean
  /**
   * Renders the totals cell from all rows that match the search. The table has no totals row when
   * no column has this.
   */
  total?: (rows: Row[]) => ReactNode
}

/** An action in the menu of a row. */
export interface RowAction {
  /** The translated name. */
  label: string
  isDangerous?: boolean
  onAct: () => void
}

export interface DataTableProps<Row extends { id: string }> {
  /** A description of the rows for screen readers. */
  label: string
  rows: Row[]
  columns: Column<Row>[]
  loading?: boolean
  /** The translated title. */
  error?: string | null | undefined
  onRetry?: () => void
  /** Returns the text to search; when absent, the table has no search field. */
  toSearchText?: (row: Row) => string
  /** Returns the buttons at the end of a row. */
  actions?: (row: Row) => ReactNode
  /** Returns what the menu of a row offers; a row without actions has no menu. */
  menu?: (row: Row) => { name: string; actions: RowAction[] }
  /** Called with the ids of the rows on screen, one per line, in their order. */
  onOrder?: (order: string) => void
  /** Returns the address of a row, to which its first cell links; null for a row without one. */
  linkTo?: (row: Row) => string | null
  /** Called when the user clicks that link, instead of going to the address. */
  onOpen?: (row: Row) => void
  /** The table's ID; with it, users can choose columns, and the browser remembers them. */
  id?: string
  /**
   * When absent, the table offers no export. `rows` returns all matching rows; when absent, the
   * export uses all rows of the table.
   */
  exportAs?: {
    name: string
    rows?: (onProgress: (count: number) => void) => Promise<Row[]>
    /** The columns of the file in their order; those of the table when absent. */
    columns?: Column<Row>[]
    /** Returns the names of people by ID, for columns that export them. */
    readNames?: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
    onError?: (error: unknown) => void
  }
  /** When present, rows can be selected; `bar` contains the buttons for bulk actions. */
  selection?: {
    selected: ReadonlySet<string>
    onSelected: (selected: Set<string>) => void
    /** Returns the row's name, which labels its checkbox. */
    name: (row: Row) => string
    bar: ReactNode
  }
  /** Content next to the search field: filters, an add button. */
  toolbar?: ReactNode
  empty?: ReactNode
  /**
   * For rows that other people add and remove: while the pointer is on the table, no row moves and
   * new ones wait.
   */
  hasStableRows?: boolean
  /** Set when the caller does the paging, as for an endless list: the rows are a single page. */
  cursorPaging?: {
    /**
     * The column by which the server sorts the pages; no other can be sorted. Null when no index
     * gives an order that means something.
     */
    sortedBy: { column: string; descending: boolean } | null
    hasNext: boolean
    onNext: () => void
    hasPrevious: boolean
    onPrevious: () => void
  }
  /** True when the server has more rows than these: search and sorting cover the loaded ones. */
  isPartial?: boolean
  defaults?: Partial<TableState>
}

export interface TableState {
  /** Zero-based. */
  page: number
  size: number
  search: string
  sort: string | null
  descending: boolean
}
