import { Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type NamedPlace, NAMED_PLACES } from '~/domain/accounts/namedPlaces'
import { lazyWithRetry } from '~/src/ui/loading/lazyWithRetry'
import type { Option } from '~/src/widgets/places/placeOptions'
import type { Place } from '~/domain/geo/types'
import type { User } from '~/domain/accounts/types'

const NamedPlaceDialog = lazyWithRetry(
  async () => (await import('../profile/NamedPlaceDialog')).NamedPlaceDialog,
)

/**
 * Gives the place fields an entry for home and work that the rider has not saved yet. The entry
 * saves the place and chooses it in its field.
 */
export const UnsavedPlaces = ({
  savedAddresses,
  onOptions,
}: Pick<User, 'savedAddresses'> & { onOptions: (options: Option[]) => void }) => {
  const { t } = useTranslation()
  const [question, setQuestion] = useState<{
    name: NamedPlace
    answer: (place: Place | null) => void
  } | null>(null)
  const missing = NAMED_PLACES.filter((name) => !savedAddresses?.[name]).join(' ')
  useEffect(() => {
    const toOption = (name: NamedPlace): Option => ({
      key: name,
      text: t(`place_set_${name}`),
      icon: name === 'home' ? 'home' : 'pin',
      isQuestion: true,
      choose: () => new Promise((resolve) => setQuestion({ name, answer: resolve })),
    })
    onOptions(NAMED_PLACES.filter((name) => missing.includes(name)).map(toOption))
  }, [missing, t, onOptions])
  if (!question) return null
  return (
    <Suspense fallback={null}>
      <NamedPlaceDialog
        name={question.name}
        saved={null}
        onSaved={question.answer}
        onClose={() => {
          // Changes nothing after an answer.
          question.answer(null)
          setQuestion(null)
        }}
      />
    </Suspense>
  )
}
