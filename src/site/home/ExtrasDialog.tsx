import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { getChoiceText } from '~/domain/catalog/catalogTexts'
import { Button } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import { Money } from '~/src/ui/format/format'
import type { DraftedForm } from '~/src/widgets/trip/useBookingDraft'
import css from './ExtrasDialog.module.css'
import type { TranslatedChoice } from '~/domain/catalog/types'

const Choices = ({
  legend,
  choices,
  value,
  onChange,
}: {
  legend: string
  choices: TranslatedChoice[]
  value: number
  onChange: (index: number) => void
}) => {
  const { t, i18n } = useTranslation()
  const name = useId()
  return (
    <fieldset className={css.choices}>
      <legend>{legend}</legend>
      {choices.map((choice, index) => (
        <label key={choice.description}>
          <input
            type="radio"
            name={name}
            checked={index === value}
            onChange={() => onChange(index)}
          />
          <span>{getChoiceText(choice, i18n.language)}</span>
          <strong>
            {choice.amount > 0 ? (
              <>
                + <Money amount={choice.amount} />
              </>
            ) : (
              t('included')
            )}
          </strong>
        </label>
      ))}
    </fieldset>
  )
}

/** Asks for extras when the chosen vehicle type has parcel types or options. */
export const ExtrasDialog = ({
  form: { parcelTypes, options, draft, change },
  onDone,
  onClose,
}: {
  form: DraftedForm
  onDone: () => void
  onClose: () => void
}) => {
  const { t } = useTranslation()
  return (
    <Dialog
      title={t(parcelTypes.length > 0 ? 'extras_title' : 'extras_option')}
      onClose={onClose}
      actions={
        <Button variant="primary" size="large" wide onClick={onDone}>
          {t('extras_continue')}
        </Button>
      }
    >
      {parcelTypes.length > 0 && (
        <Choices
          legend={t('extras_parcel')}
          choices={parcelTypes}
          value={draft.parcelTypeIndex}
          onChange={(parcelTypeIndex) => change({ parcelTypeIndex })}
        />
      )}
      {options.length > 0 && (
        <Choices
          legend={t('extras_option')}
          choices={options}
          value={draft.optionIndex}
          onChange={(optionIndex) => change({ optionIndex })}
        />
      )}
    </Dialog>
  )
}
