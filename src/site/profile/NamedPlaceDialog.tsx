import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Place } from '~/domain/entities'
import type { NamedPlace } from '~/domain/namedPlaces'
import { savePlace } from '~/src/features/places/savedPlaces'
import { useAppDispatch } from '~/src/store/hooks'
import { noticeRaised } from '~/src/store/notices'
import { Button } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/Dialog'
import { Refusal } from '~/src/ui/forms/Refusal'
import { useSubmission } from '~/src/store/useSubmission'
import { LabeledPlaceField } from '../bookings/LabeledPlaceField'
import css from './ProfilePage.module.css'

/** Saves, changes or removes the rider's home or workplace. */
export const NamedPlaceDialog = ({
  name,
  saved,
  onClose,
}: {
  name: NamedPlace
  saved: Place | null
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const [place, setPlace] = useState(saved)
  const [isMissing, setMissing] = useState(false)
  const { busy, refused, submit } = useSubmission()
  const send = async (chosen: Place | null) => {
    const input = { name, ...(chosen && { place: chosen }) }
    if (!(await submit(() => dispatch(savePlace.quiet(input)).unwrap()))) return
    if (chosen) dispatch(noticeRaised({ tone: 'success', text: 'place_saved' }))
    onClose()
  }
  const save = () => {
    setMissing(place === null)
    if (place) void send(place)
  }
  return (
    <Dialog
      title={t(`place_${name}`)}
      onClose={onClose}
      actions={
        <>
          {saved && (
            <Button variant="danger" onClick={() => void send(null)}>
              {t('remove')}
            </Button>
          )}
          <Button variant="primary" busy={busy} onClick={save}>
            {t('save')}
          </Button>
        </>
      }
    >
      <div className={css.placeChoice}>
        <LabeledPlaceField
          label={t('place_address')}
          value={place}
          onChange={setPlace}
          near={place ?? undefined}
          offersPosition
          error={isMissing && place === null ? t('place_choose') : undefined}
        />
        <Refusal error={refused} />
      </div>
    </Dialog>
  )
}
