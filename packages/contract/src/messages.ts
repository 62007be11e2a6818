/** Sentences of the specification that both sides use. Literal: tests assert them. */
export interface Message {
  readonly title: string;
  readonly description: string;
}

export const messages = {
  invalidEmail: 'Invalid email address',
  shortPassword: 'Password must be at least 6 characters',
  invalidCredentials: 'Invalid credentials',
  signupFailed: 'Failed to create account',
  notAnImage: { title: 'Invalid file type', description: 'Please upload an image file (PNG, JPG, etc.)' },
  uploadFailed: 'Upload failed',
  previewFailed: 'Failed to generate preview. Please try again.',
  productionRequiresAccount: {
    title: 'Production Export Requires Account',
    description: 'Create an account to access professional SVG exports for production use.',
  },
  customSvgRequiresAccount: {
    title: 'Custom SVG Export Requires Account',
    description: 'Create an account to access professional SVG exports for production use.',
  },
  pngRequiresAccount: {
    title: 'PNG Export Requires Account',
    description: 'Create an account to export high-quality PNG mockups.',
  },
  noDesignToExport: { title: 'No design to export', description: 'Please upload and vectorize a design first.' },
  productionFallback: { title: 'Production upgrade failed', description: 'Falling back to standard SVG export.' },
  customSvgFailed: { title: 'Export failed', description: 'Failed to generate custom SVG. Please try again.' },
  productRequired: {
    title: 'Product Selection Required',
    description: 'Choose a product in step 2 first, so your design has a size.',
  },
  uploaded: 'Upload successful',
  vectorized: 'Design vectorized',
  previewUpdated: 'Preview updated',
  welcomeBack: 'Welcome back!',
  accountCreated: 'Account created!',
  generatingProduction: 'Generating production SVG...',
  productionExported: 'Production SVG exported successfully!',
  standardExported: 'SVG exported successfully!',
  customSvgExported: 'Custom SVG exported successfully!',
  mockupExported: 'Mockup exported successfully!',
} as const satisfies Record<string, string | Message>;

export const vectorLimitReached = (limit: number): Message => ({
  title: 'Vector Export Limit Reached',
  description: `You've used all ${limit} vector exports this month. Upgrade to export more.`,
});

export const guestUsage = (used: number): string => `You've used ${used} of your free mockups.`;
