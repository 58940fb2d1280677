import type { ReactNode } from 'react'

export interface ListOption {
  key: string
  content: ReactNode
}

/** Renders the entries below a text field whose keyboard `useCombobox` handles. */
export const OptionList = <Option extends ListOption>({
  listId,
  label,
  className,
  options,
  at,
  emptyText,
  onChoose,
}: {
  listId: string
  label: string
  className: string | undefined
  options: readonly Option[]
  /** The index of the selected entry; -1 when there is none. */
  at: number
  /** Says why there are no entries. */
  emptyText: string
  onChoose: (option: Option) => void
}) => (
  <ul role="listbox" id={listId} aria-label={label} className={className}>
    {options.map((option, index) => (
      <li
        // By index, so that a response changes the content of a row but moves none under a finger.
        key={index}
        id={`${listId}-${index}`}
        role="option"
        aria-selected={index === at}
        // The field keeps its focus: losing it could close the list before the click arrives.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => onChoose(option)}
      >
        {option.content}
      </li>
    ))}
    {options.length === 0 && (
      <li role="option" aria-selected="false" aria-disabled="true">
        {emptyText}
      </li>
    )}
  </ul>
)
