import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { namedPlaceForm } from '~/domain/forms/namedPlaceForm'
import type { NamedPlace } from '~/domain/accounts/namedPlaces'
import { savePlace } from '~/src/features/places/savedPlaces'
import { useAppDispatch } from '~/src/store/hooks'
import { noticeRaised } from '~/src/store/notices'
import { Button } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import { Refusal } from '~/src/ui/forms/Refusal'
import { useSchemaForm } from '~/src/ui/forms/useSchemaForm'
import { LabeledPlaceField } from '~/src/widgets/places/LabeledPlaceField'
import css from './ProfilePage.module.css'
import type { Place } from '~/domain/geo/types'

/** Saves, changes or removes the rider's home or workplace. */
export const NamedPlaceDialog = ({
  name,
  saved,
  onSaved,
  onClose,
}: {
  name: NamedPlace
  saved: Place | null
  onSaved?: (place: Place) => void
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const id = useId()
  const send = async (place: Place | null) => {
    await dispatch(savePlace.quiet({ name, ...(place && { place }) })).unwrap()
    if (place) {
      dispatch(noticeRaised({ tone: 'success', text: 'place_saved' }))
      onSaved?.(place)
    }
    onClose()
  }
  const { form, element, submit, attempt, isSubmitting, problem } = useSchemaForm({
    schema: namedPlaceForm,
    initial: { place: saved },
    onSubmit: ({ place }) => send(place),
  })
  const place: Place | null = form.watch('place')
  const { errors, isSubmitted } = form.formState
  return (
    <Dialog
      title={t(`place_${name}`)}
      onClose={onClose}
      problem={<Refusal>{problem}</Refusal>}
      actions={
        <>
          {saved && (
            <Button variant="danger" onClick={() => void attempt(() => send(null))}>
              {t('remove')}
            </Button>
          )}
          <Button variant="primary" type="submit" form={id} busy={isSubmitting}>
            {t('save')}
          </Button>
        </>
      }
    >
      <form
        id={id}
        ref={element}
        className={css.placeChoice}
        noValidate
        onSubmit={(event) => void submit(event)}
      >
        <LabeledPlaceField
          label={t('place_address')}
          value={place}
          onChange={(chosenPlace) =>
            form.setValue('place', chosenPlace as Place, { shouldValidate: isSubmitted })
          }
          near={place ?? undefined}
          offersPosition
          error={errors.place?.message && t(errors.place.message)}
        />
      </form>
    </Dialog>
  )
}
