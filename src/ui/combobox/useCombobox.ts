import { type KeyboardEvent, useEffect, useId, useState } from 'react'

/** The entry that the arrow keys selected: by its key, or the end where they entered the list. */
type Selection = { key: string } | { end: 'first' | 'last' } | null

interface Options<Option> {
  /** The entries that the keys reach, from the first one shown; null while the list is closed. */
  options: readonly Option[] | null
  /** True when the first entry is selected before an arrow key is pressed. */
  startsAtFirst?: boolean
  /** Chosen by Enter while no entry is selected. */
  fallback?: Option | undefined
  /** True while the entries for the typed text are on their way. */
  isSearching: boolean
  onChoose: (option: Option) => void
  /** Called on Enter during a search when the arrow keys have selected nothing. */
  onAwait: () => void
  /** Opens the list; when absent, the arrow keys do nothing while it is closed. */
  onOpen?: () => void
  /** Closes the list on Escape; when absent, another component handles the key. */
  onClose?: (() => void) | undefined
}

/** Returns the index of the selected entry; -1 when there is none. */
const findIndex = (
  selection: Selection,
  options: readonly { key: string }[],
  startsAtFirst: boolean,
): number => {
  const first = options.length > 0 ? 0 : -1
  if (selection && 'end' in selection) return selection.end === 'first' ? first : options.length - 1
  const index = options.findIndex(({ key }) => key === selection?.key)
  return index < 0 && startsAtFirst ? first : index
}

/**
 * Returns the keyboard and the roles of a text field with a list of entries, for the field and for
 * `OptionList`: the arrow keys move through the list and around its ends, Enter chooses, Escape
 * closes.
 */
export const useCombobox = <Option extends { key: string }>({
  options,
  startsAtFirst = false,
  fallback,
  isSearching,
  onChoose,
  onAwait,
  onOpen,
  onClose,
}: Options<Option>) => {
  const listId = useId()
  // By key, because results that arrive later may move the selected entry.
  const [selection, setSelection] = useState<Selection>(null)
  const last = (options?.length ?? 0) - 1
  const at = findIndex(selection, options ?? [], startsAtFirst)
  const hasSelection = selection !== null
  useEffect(() => {
    if (hasSelection)
      document.getElementById(`${listId}-${at}`)?.scrollIntoView({ block: 'nearest' })
  }, [hasSelection, listId, at])

  const move = (isDown: boolean) => {
    const next = isDown ? (at < last ? at + 1 : 0) : at > 0 ? at - 1 : last
    const option = options?.[next]
    setSelection(option ? { key: option.key } : { end: isDown ? 'first' : 'last' })
    if (!options) onOpen?.()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    const chosenOption = options?.[at] ?? fallback
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      if (!options && !onOpen) return
      move(key === 'ArrowDown')
    } else if (key === 'Enter' && isSearching && !(hasSelection && options?.[at])) onAwait()
    else if (key === 'Enter' && options && (chosenOption || startsAtFirst)) {
      if (chosenOption) onChoose(chosenOption)
    } else if (key === 'Escape' && options && onClose) onClose()
    else return
    event.preventDefault()
  }
  return {
    at,
    listId,
    clearSelection: () => setSelection(null),
    fieldProps: {
      role: 'combobox',
      'aria-expanded': options !== null,
      'aria-controls': listId,
      'aria-activedescendant': options?.[at] ? `${listId}-${at}` : undefined,
      'aria-autocomplete': 'list',
      autoComplete: 'off',
      onKeyDown,
    } as const,
  }
}
