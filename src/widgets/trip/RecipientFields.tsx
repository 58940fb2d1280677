import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import {
  MAX_INSTRUCTIONS_LENGTH,
  MAX_RECIPIENT_LENGTH,
  MAX_RECIPIENT_PHONE_LENGTH,
} from '~/domain/booking/limits/limits'
import { TextArea, TextInput } from '~/src/ui/controls'
import type { RecipientDraft } from './tripDraft'

interface TextProps {
  label: string
  value: string
  required: boolean
  error: string | undefined
}

/** Asks for the recipient of a parcel and the notes for its driver. */
export const RecipientFields = ({
  value,
  required = [],
  errorAt,
  onChange,
  renderPhone,
}: {
  value: RecipientDraft
  required?: readonly (keyof RecipientDraft)[]
  /** Returns the translated error of a field. */
  errorAt: (field: keyof RecipientDraft) => string | undefined
  onChange: (changes: Partial<RecipientDraft>) => void
  /** Renders another field for the phone number. */
  renderPhone?: (props: TextProps & { onChange: (phone: string) => void }) => ReactNode
}) => {
  const { t } = useTranslation()
  const getProps = (field: keyof RecipientDraft): TextProps => ({
    label: t(field),
    value: value[field],
    required: required.includes(field),
    error: errorAt(field),
  })
  const onType =
    (field: keyof RecipientDraft) =>
    ({ target }: { target: { value: string } }) =>
      onChange({ [field]: target.value })
  return (
    <>
      <TextInput
        {...getProps('deliveryPerson')}
        maxLength={MAX_RECIPIENT_LENGTH}
        onChange={onType('deliveryPerson')}
      />
      {renderPhone?.({
        ...getProps('deliveryPersonPhone'),
        onChange: (phone) => onChange({ deliveryPersonPhone: phone }),
      }) ?? (
        <TextInput
          {...getProps('deliveryPersonPhone')}
          type="tel"
          inputMode="tel"
          maxLength={MAX_RECIPIENT_PHONE_LENGTH}
          onChange={onType('deliveryPersonPhone')}
        />
      )}
      {(['pickUpInstructions', 'deliveryInstructions'] as const).map((field) => (
        <TextArea
          key={field}
          {...getProps(field)}
          rows={2}
          maxLength={MAX_INSTRUCTIONS_LENGTH}
          onChange={onType(field)}
        />
      ))}
    </>
  )
}
