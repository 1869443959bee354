internal import RealmExchange

/// A script for `mongosh` that gives collections their validators, whether they exist already or not.
enum ValidatorScript {
    /// Returns the script.
    ///
    /// - Parameters:
    ///   - validators: an object with a validator for each collection.
    ///   - origin: the file that the schema is from.
    static func text(_ validators: JSONValue, origin: String) -> String {
        """
        // Validators for the collections of \(origin). Documents that are there already are not checked.
        const validators = \(escaped(validators.pretty));

        const present = db.getCollectionNames();
        for (const [name, validator] of Object.entries(validators)) {
          const result = present.includes(name)
            ? db.runCommand({ collMod: name, validator })
            : db.createCollection(name, { validator });
          print(`${name}: ${result.ok ? "validated" : JSON.stringify(result)}`);
        }

        """
    }

    /// JSON is JavaScript but for two characters, which end lines there in releases before ECMAScript 2019.
    private static func escaped(_ json: String) -> String {
        json.replacing("\u{2028}", with: "\\u2028").replacing("\u{2029}", with: "\\u2029")
    }
}
