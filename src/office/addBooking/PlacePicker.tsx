import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LatLng, Place } from '~/domain/entities'
import type { Suggestion } from '~/src/features/places/places'
import { usePlaceSearch } from '~/src/features/places/usePlaceSearch'
import { Combobox } from '~/src/ui/Combobox'

/** A place by typing, chosen from what is found within the configured country. */
export const PlacePicker = ({
  label,
  value,
  onChange,
  onLooking,
  near,
  error,
}: {
  label: string
  value: Place | null
  onChange: (place: Place | null) => void
  /** A place was chosen; the promise ends when it is known, or known not to be found. */
  onLooking: (done: Promise<void>) => void
  near: LatLng | null
  /** Already translated. */
  error?: string | undefined
}) => {
  const { t } = useTranslation()
  const { found, problem, look, forget, placeOf } = usePlaceSearch(near)
  const [typed, setTyped] = useState<string | null>(null)

  const type = (text: string) => {
    setTyped(text)
    if (value) onChange(null)
    look(text)
  }
  const bring = async (suggestion: Suggestion) => {
    forget()
    setTyped(suggestion.description)
    const place = await placeOf(suggestion)
    if (!place) return
    onChange(place)
    setTyped(null)
  }
  const options = found?.map((suggestion) => ({
    key: suggestion.place_id,
    shown: suggestion.description,
    choose: () => onLooking(bring(suggestion)),
  }))
  return (
    <Combobox
      label={label}
      error={problem ? t(problem) : error}
      placeholder={t('place_placeholder')}
      spellCheck={false}
      value={typed ?? value?.add ?? ''}
      onBlur={forget}
      options={options ?? null}
      listLabel={label}
      onType={type}
      onClose={forget}
    />
  )
}
