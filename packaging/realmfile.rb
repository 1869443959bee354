# A formula for Homebrew, on macOS and Linux. Written without being run: no Homebrew was at hand. To try it, put it into a tap of your own:
#   brew tap-new NAME/tap && cp packaging/realmfile.rb "$(brew --repository NAME/tap)/Formula/" && brew install NAME/tap/realmfile
class Realmfile < Formula
  # The address of the repository, which is to be put in here when it has one.
  REPOSITORY = "https://github.com/OWNER/RealmFile".freeze

  desc "Reads, checks, converts and writes Realm database files"
  homepage REPOSITORY
  url "#{REPOSITORY}.git", tag: "v0.9.0"
  license "Apache-2.0"

  depends_on "pkgconf" => :build
  depends_on xcode: ["26.4", :build]
  depends_on "json-c"
  depends_on macos: :sequoia
  depends_on "minizip"
  depends_on "mongo-c-driver"
  depends_on "pcre2"

  uses_from_macos "swift" => :build
  uses_from_macos "libedit"

  on_linux do
    depends_on "openssl@3"
    depends_on "zlib"
  end

  def install
    # The name that pkg-config has for libbson 2.
    ENV["REALMFILE_LIBBSON"] = "bson2"
    system "swift", "build", "--disable-sandbox", "--configuration", "release", "--product", "realmfile"
    system "tools/install", "--binary", ".build/release/realmfile", prefix
    # Homebrew has its own places for completions.
    bash_completion.install share/"bash-completion/completions/realmfile"
    fish_completion.install share/"fish/vendor_completions.d/realmfile.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/realmfile --version")
    (testpath/"Person.jsonl").write("{\"_id\": 1, \"name\": \"Ada\"}\n")
    system bin/"realmfile", "import", "Person.jsonl", "--out", "new.realm"
    assert_match "ok", shell_output("#{bin}/realmfile verify new.realm")
  end
end
