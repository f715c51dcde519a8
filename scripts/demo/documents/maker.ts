/** The maker as its documents name it; the same as `maker` in content/demo/site.yaml, which a test compares. */
export const MAKER = {
  name: 'Haldenwerk GmbH',
  street: 'Am Prüfstand 1',
  postalCode: '00000',
  city: 'Haldenbrück',
  country: 'DE',
  email: 'info@haldenwerk.example',
} as const;
