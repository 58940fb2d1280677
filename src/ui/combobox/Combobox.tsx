import { type ComponentProps, useEffect, useEffectEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { TextInput } from '../controls'
import css from './Combobox.module.css'
import { type ListOption, OptionList } from './OptionList'
import { useCombobox } from './useCombobox'

interface ComboboxOption extends ListOption {
  choose: () => void
}

/** Chooses the first option when the search ends for which the user pressed Enter. */
const useAwaitedChoice = (options: readonly ComboboxOption[] | null, isSearching: boolean) => {
  const isAwaited = useRef(false)
  const choose = useEffectEvent(() => {
    if (isAwaited.current) options?.[0]?.choose()
    isAwaited.current = false
  })
  useEffect(() => {
    if (!isSearching) choose()
  }, [isSearching])
  const setAwaited = (value: boolean) => {
    isAwaited.current = value
  }
  return setAwaited
}

/** Renders a text field with a list of results, of which the first is selected. */
export const Combobox = ({
  options,
  listLabel,
  listClass = css.list,
  isSearching = false,
  onType,
  onClose,
  ...field
}: Omit<ComponentProps<typeof TextInput>, 'onChange' | 'onKeyDown'> & {
  /** Null closes the list. */
  options: readonly ComboboxOption[] | null
  listLabel: string
  /** The class of a list that does not float over the content below it. */
  listClass?: string | undefined
  /** True while the options of what was typed are on their way. Enter then chooses the first. */
  isSearching?: boolean
  onType: (text: string) => void
  /** Called on Escape; when absent, another component handles the key. */
  onClose?: () => void
}) => {
  const { t } = useTranslation()
  const setAwaited = useAwaitedChoice(options, isSearching)
  const { at, listId, clearSelection, fieldProps } = useCombobox({
    options,
    startsAtFirst: true,
    isSearching,
    onChoose: (option) => option.choose(),
    onAwait: () => setAwaited(true),
    onClose,
  })
  return (
    <div className={css.combobox}>
      <TextInput
        {...field}
        {...fieldProps}
        onChange={({ target }) => {
          onType(target.value)
          clearSelection()
          setAwaited(false)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setAwaited(false)
          fieldProps.onKeyDown(event)
        }}
      />
      {options && (
        <OptionList
          {...{ listId, at, options }}
          label={listLabel}
          className={listClass}
          emptyText={t('no_matches')}
          onChoose={(option) => option.choose()}
        />
      )}
    </div>
  )
}
