import { startTransition, useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TextInput } from '~/src/ui/controls'

const SEARCH_DELAY_MS = 150

/** Searches when typing pauses, because each search renders the whole table. */
export const SearchField = ({
  value,
  onChange,
}: {
  value: string
  onChange: (text: string) => void
}) => {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(value)
  const [sentText, setSentText] = useState(value)
  const [previousValue, setPreviousValue] = useState(value)
  if (value !== previousValue) {
    setPreviousValue(value)
    // Something else changed the value: the Back button, a saved view, or the clear button.
    if (value !== sentText) {
      setSentText(value)
      setTyped(value)
    }
  }
  const send = useEffectEvent(onChange)
  useEffect(() => {
    if (typed === sentText) return
    const timer = setTimeout(() => {
      setSentText(typed)
      // A transition lets the next keystroke go before the table's rendering.
      startTransition(() => send(typed))
    }, SEARCH_DELAY_MS)
    return () => clearTimeout(timer)
  }, [typed, sentText])
  return (
    <TextInput
      type="search"
      label={<span className="visually-hidden">{t('search')}</span>}
      placeholder={t('search')}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  )
}
